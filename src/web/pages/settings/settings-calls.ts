import { useMutation, useQuery } from '@tanstack/react-query'
import { address, call } from '../../api/call.ts'

/** Read again when items change: that is when models have more to do, or less. */
export function useModels() {
  return useQuery({ queryKey: ['items', 'models'], queryFn: () => call('GET /models') })
}

export function useModelTest() {
  return useMutation({ mutationFn: () => call('POST /models/test') })
}

export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => call('GET /server') })
}

/** Makes a copy, then lets the browser download it. */
export function useBackup() {
  return useMutation({
    mutationFn: async () => {
      const ready = await call('POST /backup')
      window.location.assign(address(ready.path))
      return ready
    },
  })
}
