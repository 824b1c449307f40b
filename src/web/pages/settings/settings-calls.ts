import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  EmbeddingModelChoice,
  LanguageModelChoice,
  ModelsOverview,
  RerankerChoice,
} from '../../../http/app/schemas/settings.ts'
import { address, call } from '../../api/call.ts'

export const MODELS = ['items', 'models']
/** While a model is added or removed. */
const WATCH_MS = 1_000

/** Fetched again when items change, because the models' progress changes with them. */
export function useModels() {
  return useQuery({
    queryKey: MODELS,
    queryFn: () => call('GET /models'),
    refetchInterval: ({ state }) => isChanging(state.data) && WATCH_MS,
  })
}

function isChanging(models: ModelsOverview | undefined): boolean {
  return (
    models !== undefined &&
    (models.embedding.is_changing ||
      models.embedding.building !== null ||
      models.local.some(({ progress }) => progress !== null))
  )
}

export function useLocalModel(name: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: MODELS })
  return {
    add: useMutation({ mutationFn: () => call('POST /models/local', { body: { name } }), onSettled }),
    remove: useMutation({
      mutationFn: () => call('DELETE /models/local/:name', { params: { name } }),
      onSettled,
    }),
  }
}

/** Choosing tests the model first; one with a problem changes nothing. */
export function useLanguageModel() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: MODELS })
  return {
    // Don't cache the key.
    choose: useMutation({
      mutationFn: (body: LanguageModelChoice) => call('PUT /models/language', { body }),
      onSettled,
      gcTime: 0,
    }),
    remove: useMutation({ mutationFn: () => call('DELETE /models/language'), onSettled }),
  }
}

/** Testing changes nothing; choosing tests again, then begins to embed the memory. */
export function useEmbeddingModel() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: MODELS })
  return {
    // Don't cache the key.
    test: useMutation({
      mutationFn: (body: EmbeddingModelChoice) => call('POST /models/embedding/test', { body }),
      gcTime: 0,
    }),
    choose: useMutation({
      mutationFn: (body: EmbeddingModelChoice) => call('PUT /models/embedding', { body }),
      onSettled,
      gcTime: 0,
    }),
    remove: useMutation({ mutationFn: () => call('DELETE /models/embedding'), onSettled }),
  }
}

/** Counted when somebody asks, because that reads all texts. */
export function useEmbeddedVectors() {
  return useQuery({
    queryKey: [...MODELS, 'vectors'],
    queryFn: ({ signal }) => call('GET /models/embedding/vectors', { signal }),
    gcTime: 0,
  })
}

/** As `useLanguageModel`. */
export function useReranker() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RerankerChoice) => call('PUT /models/reranker', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS }),
    gcTime: 0,
  })
}

export function useModelTest() {
  return useMutation({ mutationFn: () => call('POST /models/test') })
}

export function useServer() {
  return useQuery({ queryKey: ['server'], queryFn: () => call('GET /server') })
}

/** Creates a copy, then downloads it. */
export function useBackup() {
  return useMutation({
    mutationFn: async () => {
      const ready = await call('POST /backup')
      window.location.assign(address(ready.path))
      return ready
    },
  })
}
