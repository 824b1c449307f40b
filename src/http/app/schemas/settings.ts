import { z } from 'zod'

/** `PATCH /app/api/account`; absent fields stay. */
export const accountChange = z.object({
  name: z.string().max(1_000).optional(),
  /** IANA, as Europe/Berlin. */
  time_zone: z.string().max(100).optional(),
})

/** `DELETE /app/api/account`: its name, typed for confirmation. */
export const accountDeletion = z.object({ name: z.string().max(1_000) })

/** The response, with 202, if it takes longer: the account is hidden, and its deletion continues. */
export interface DeletionBegun {
  readonly account_id: string
  readonly name: string
  readonly state: 'begun'
}

/** The receipt of a deletion. */
export interface DeletedAccount {
  readonly account_id: string
  readonly name: string
  /** ISO 8601. */
  readonly deleted_at: string
  readonly items: number
  readonly memories: number
  readonly bytes: number
  /** SHA-256 over the SHA-256 of each upload, hexadecimal, sorted, each followed by a line feed. */
  readonly bodies_hash: string
  /** Remaining rows of the account, by table. */
  readonly verified: Readonly<Record<string, number>>
}

/** `GET /app/api/models`: the models in use, and their progress. */
export interface ModelsOverview {
  /** Problem with the models in config.yaml; shown to server administrators. */
  readonly problem: string | null
  readonly language: LanguageModelOverview
  readonly embedding: EmbeddingModelOverview
  /** What can be installed with one click; empty for people who are not server administrators. */
  readonly local: readonly LocalModelOverview[]
  readonly reranker: RerankerOverview
}

export interface RerankerOverview {
  /** Of config.yaml, for server administrators; null: none. */
  readonly settings: RerankerSettingsView | null
  /** Provider and name of the one in use; null: the built-in ranking. */
  readonly model: string | null
  /** It orders what answers are made from, but not what recall finds. */
  readonly answers_only: boolean
}

/** The reranker of config.yaml, without its key. */
export interface RerankerSettingsView {
  readonly provider: string
  /** Null for `none`. */
  readonly model: string | null
  readonly url: string | null
  readonly has_key: boolean
}

export interface LanguageModelOverview {
  /** Of config.yaml, for server administrators; null: none. */
  readonly settings: LanguageModelSettings | null
  /** Provider and name; null: built-in rules extract memories, answers are quotations. */
  readonly model: string | null
  readonly uses: readonly ('extract' | 'ask')[]
  /**
   * For all accounts; null for people who are not server administrators, and until a language model has refined
   * memories.
   */
  readonly work: LanguageModelWork | null
}

export interface LanguageModelWork {
  /** Items with refined memories. */
  readonly refined: number
  /** Waiting items by reason; without a message they are just queued. */
  readonly waiting: readonly {
    readonly items: number
    readonly message: string | null
    readonly until: string | null
  }[]
  readonly given_up: number
  /** Memories and answers that were withheld because they quote text that is not in the source. */
  readonly unproven: number
  readonly today: { readonly tokens: number; readonly dollars: number }
}

/** Providers of language models that can be chosen in the app; others are set in config.yaml. */
export const CHOSEN_PROVIDERS = ['openai-compatible', 'openai', 'anthropic', 'google', 'mistral', 'azure'] as const

// A reference would be replaced by a variable of the server.
const literal = z
  .string()
  .trim()
  .regex(/^(?!.*\$\{)/, 'must not contain ${')

const dollars = z.number({ error: 'must be a number' }).min(0, 'must be 0 or more')

/** US dollars per million tokens. */
const languagePrice = z.strictObject({ input: dollars, output: dollars })

/** `PUT /app/api/models/language`: tests a model, then uses it and writes it to config.yaml. */
export const languageModelChoice = z.strictObject({
  provider: z.enum(CHOSEN_PROVIDERS, { error: 'must be a supported provider' }),
  model: literal.min(1, 'is missing').max(200, 'must be at most 200 characters'),
  /** Required for openai-compatible and azure. */
  url: literal.max(1_000, 'must be at most 1,000 characters').optional(),
  /** Absent: the stored key of this provider. */
  api_key: literal.min(1, 'is missing').max(1_000, 'must be at most 1,000 characters').optional(),
  /** Null: unknown. Absent: as in config.yaml, if the model stays. */
  price: languagePrice.nullable().optional(),
  /** Per account and calendar month; needs `price`. Null: no limit. Absent: as `price`. */
  dollars_per_month: dollars.nullable().optional(),
})
export type LanguageModelChoice = z.infer<typeof languageModelChoice>

/** Providers of embedding models that can be chosen in the app; others are set in config.yaml. */
export const CHOSEN_EMBEDDING_PROVIDERS = ['openai-compatible', 'openai', 'google', 'mistral', 'azure'] as const

/** `POST /app/api/models/embedding/test` tests a model; `PUT /app/api/models/embedding` also uses it. */
export const embeddingModelChoice = languageModelChoice.pick({ model: true, url: true, api_key: true }).extend({
  provider: z.enum(CHOSEN_EMBEDDING_PROVIDERS, { error: 'must be a supported provider' }),
  /** US dollars per million tokens; null: unknown. */
  price_input: dollars.nullable(),
})
export type EmbeddingModelChoice = z.infer<typeof embeddingModelChoice>

/** `PUT /app/api/models/reranker`: tests a reranker, then uses it and writes it to config.yaml. */
export const rerankerChoice = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('none') }),
  /** The one that comes with a local embedding model, for answers. */
  z.strictObject({ provider: z.literal('automatic') }),
  z.strictObject({ provider: z.literal('local'), model: literal.max(100, 'must be at most 100 characters') }),
  languageModelChoice.pick({ model: true, api_key: true }).extend({
    provider: z.literal('cohere-compatible'),
    url: z.url({ protocol: /^https?$/, error: 'must be an address' }),
  }),
])
export type RerankerChoice = z.infer<typeof rerankerChoice>

/** Null: there was nothing to test. */
export interface RerankerTrial {
  readonly trial: ModelTrial | null
}

/** The embedding model of a provider in config.yaml, without its key. */
export interface EmbeddingModelSettings {
  readonly provider: string
  readonly model: string
  readonly url: string | null
  readonly has_key: boolean
  readonly price_input: number | null
}

/** A test of an embedding model, and what embedding the memory with it takes; null when it doesn't work. */
export interface EmbeddingModelTrial {
  readonly trial: ModelTrial
  readonly change: {
    readonly texts: number
    readonly tokens: number
    /** Null: the price is unknown. */
    readonly dollars: number | null
    readonly seconds: number
  } | null
}

/** The language model of config.yaml, without its key. */
export interface LanguageModelSettings {
  readonly provider: string
  readonly model: string
  readonly url: string | null
  readonly has_key: boolean
  readonly price: z.infer<typeof languagePrice> | null
  /** Per account; null: no limit. */
  readonly dollars_per_month: number | null
  /** Limits that the app does not show, which another model does not keep. */
  readonly has_limits: boolean
}

/** `POST /app/api/models/local`: a model to install on this server and to use. */
export const localModelChoice = z.object({ name: z.string().max(100) })

/** A sentence encoder that the server can install and run itself. */
export interface LocalModelOverview {
  readonly name: string
  readonly title: string
  readonly license: string
  readonly is_installed: boolean
  /** Its reranker can be used. */
  readonly has_reranker: boolean
  /** config.yaml names it. */
  readonly is_configured: boolean
  /** The first page suggests it. */
  readonly is_offered: boolean
  /** On the disk, with the engine; 0 before it is installed. */
  readonly bytes: number
  readonly download_bytes: number
  /** Null: it is not being added or removed. */
  readonly progress: LocalModelProgress | null
  /** Why it could not be added or removed. */
  readonly problem: string | null
}

export interface LocalModelProgress {
  readonly step: 'download' | 'vectors' | 'remove'
  /** Bytes or texts. */
  readonly done: number
  /** 0 while that is not known. */
  readonly all: number
}

export interface EmbeddingModelOverview {
  /** That of a provider in config.yaml, for server administrators; null: none. */
  readonly settings: EmbeddingModelSettings | null
  /** Provider and name of the model for questions; null: the built-in model. */
  readonly model: string | null
  /** Texts of all accounts, and how many have a vector; null for the built-in one. For server administrators. */
  readonly texts: Filling | null
  /** A change from the app is under way. */
  readonly is_changing: boolean
  /** The space that is being built to replace it. */
  readonly building: ({ readonly model: string } & Filling) | null
  readonly problems: readonly { readonly message: string; readonly retry_at: string | null }[]
}

/** `GET /app/api/models/embedding/vectors`: what is lost when the model of a provider is removed. */
export interface EmbeddedVectors {
  readonly vectors: number
  /** Estimated cost of making them again, in US dollars; null: the price is unknown. */
  readonly dollars: number | null
}

export interface Filling {
  readonly all: number
  readonly embedded: number
}

/** `POST /app/api/models/test`: tests each model. */
export interface ModelTrials {
  readonly trials: readonly ModelTrial[]
}

export interface ModelTrial {
  readonly kind: 'built-in' | 'language' | 'embedding' | 'reranker'
  /** Provider and name. */
  readonly model: string
  /** The problem and the remedy; null: it works. */
  readonly problem: string | null
  /** Seconds until the answer. */
  readonly ms: number | null
  /** As `12 tokens`. */
  readonly per_second: { readonly count: number; readonly unit: 'tokens' | 'texts' | 'passages' } | null
  /** For language models: whether the first answer matched the schema. */
  readonly keeps_to_schema: boolean | null
}

/** `GET /app/api/server` */
export interface ServerOverview {
  readonly version: string
  readonly limits: readonly Limit[]
  /** Null for people who are not server administrators. */
  readonly home: HomeOverview | null
}

export interface Limit {
  readonly title: string
  readonly value: number
  readonly unit:
    | 'requests'
    | 'uploads'
    | 'questions'
    | 'searches'
    | 'keys'
    | 'bytes'
    | 'characters'
    | 'results'
    | 'days'
    | 'threads'
  /** Setting in config.yaml; null: part of the specification, the same on every server. */
  readonly setting: string | null
  /** Explanation. */
  readonly about: string
}

export interface HomeOverview {
  readonly folder: string
  readonly config_file: string
  /** Including the write-ahead log. */
  readonly database_bytes: number
}

/** `POST /app/api/backup` */
export interface BackupReady {
  /** Below /app/api; works once, for a minute, and only for the person who requested it. */
  readonly path: string
  readonly file_name: string
  readonly bytes: number
}

/** `GET /app/api/backup/:token` */
export const backupReference = z.object({ token: z.string().max(100) })
