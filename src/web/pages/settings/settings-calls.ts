import { useMutation, useQuery } from '@tanstack/react-query'
import type { BackupReady, ModelsOverview, ModelTrials, ServerOverview } from '../../../http/app/schemas/settings.ts'
import { address, call } from '../../api/call.ts'

/** Read again when items change: that is when models have more to do, or less. */
export function useModels() {
  return useQuery({ queryKey: ['items', 'models'], queryFn: () => call<ModelsOverview>('/models') })
}

export function useModelTest() {
  return useMutation({ mutationFn: () => call<ModelTrials>('/models/test', { method: 'POST' }) })
}

export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => call<ServerOverview>('/server') })
}

/** Makes a copy, then lets the browser download it. */
export function useBackup() {
  return useMutation({
    mutationFn: async () => {
      const ready = await call<BackupReady>('/backup', { method: 'POST' })
      window.location.assign(address(ready.path))
      return ready
    },
  })
}
