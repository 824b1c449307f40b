import type { ModelDocument } from '../../config/documents.ts'
import { schemaFields } from '../../config/field-schema.ts'
import { EMBEDDING_SETTINGS, LANGUAGE_SETTINGS, RERANKER_SETTINGS } from '../model-settings.ts'

/** What config/README.md tells of the models, from their schemas. */
export function modelDocuments(): ModelDocument[] {
  return [
    {
      kind: 'language',
      purpose: 'makes better memories of uploads, and words the answers to questions',
      fields: schemaFields(LANGUAGE_SETTINGS),
    },
    { kind: 'embedding', purpose: 'finds what is meant in other words', fields: schemaFields(EMBEDDING_SETTINGS) },
    { kind: 'reranker', purpose: 'puts what was found in a better order', fields: schemaFields(RERANKER_SETTINGS) },
  ]
}
