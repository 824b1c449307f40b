import { z } from 'zod'
import { EDIT_KINDS, editList } from '../../domain/change-results.ts'
import { CONNECTOR_NAME_MAX_CHARACTERS } from '../../domain/connector-name.ts'
import { DEFAULT_AROUND, MAX_AROUND } from '../../domain/handle.ts'
import { ITEM_ID_MAX_CHARACTERS } from '../../domain/identifiers.ts'
import { PRIORITIES } from '../../domain/memory.ts'
import { DEFAULT_SOURCE_TYPE, SOURCE_TYPES } from '../../domain/source-type.ts'
import { MOST_TAGS, TAG_MAX_CHARACTERS } from '../../domain/tag.ts'
import { AGENT_MAX_CHARACTERS } from '../../service/agent-name.ts'
import { CONTEXT_MAX_CHARACTERS } from '../../service/ask.ts'
import { DEFAULT_EDITS, MAX_EDITS } from '../../service/edit-list.ts'
import { CORRECTION_MAX_CHARACTERS } from '../../service/edits.ts'
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT } from '../../service/files.ts'
import { DEFAULT_SUBJECT_LIMIT, MAX_SUBJECT_LIMIT } from '../../service/profile.ts'
import {
  DEFAULT_RECALL_LIMIT,
  MAX_RECALL_LIMIT,
  PERSON_MAX_CHARACTERS,
  PROJECT_MAX_CHARACTERS,
  QUERY_MAX_CHARACTERS,
} from '../../service/recall.ts'
import { DEFAULT_RECENT_LIMIT, MAX_RECENT_LIMIT } from '../../service/recent.ts'
import {
  BRIEFING_MAX_FOLDERS,
  FOLDER_MAX_CHARACTERS,
  HOST_MAX_CHARACTERS,
  PROMPT_MAX_CHARACTERS,
  REPOSITORY_MAX_CHARACTERS,
  SESSION_MAX_CHARACTERS,
  SUGGESTION_MAX_IDS,
} from '../../service/suggest.ts'
import { isTimeBound, TIME_BOUND_ERROR, TIME_BOUND_MAX_CHARACTERS } from '../../service/time-bound.ts'
import { NAME_MAX_CHARACTERS } from '../../service/upload-checks.ts'

/*
 * The input of the REST interface; /openapi.json is generated from it. Rules that the service checks itself (blank
 * text, lengths, format of item_id) are repeated here for the documentation, from the same constants.
 */

const sourceField = (description: string) =>
  z
    .enum(SOURCE_TYPES, {
      error: ({ input }) => {
        if (Array.isArray(input)) return 'must be given once'
        return input === undefined ? undefined : `is not a supported source type; use one of ${SOURCE_TYPES.join(', ')}`
      },
    })
    .meta({ description })

const itemId = z.string().meta({
  description: `Identifier of the item: letters, digits and \`_ - = ! :\`, at most ${ITEM_ID_MAX_CHARACTERS} characters.`,
  minLength: 1,
  maxLength: ITEM_ID_MAX_CHARACTERS,
  pattern: '^[\\p{L}\\p{M}\\p{N}_\\-=!:]+$',
  examples: ['meeting-2026-03-04'],
})

const queryText = (description: string, example: string) =>
  z.string().meta({ description, minLength: 1, maxLength: QUERY_MAX_CHARACTERS, examples: [example] })

const whole = (meaning: { min: number; max: number; range: string; standard: number; description: string }) => {
  const { min, max, range, standard, description } = meaning
  const error = `must be a whole number ${range}`
  const digits = (text: unknown) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text)
  return (
    z
      .preprocess(digits, z.number({ error }).int({ error, abort: true }).min(min, { error }).max(max, { error }))
      .default(standard)
      // The JSON schema of a text parameter has no `default`, so tidyOpenapi creates one from this.
      .meta({ description, 'x-default': standard })
  )
}

const WITHOUT_ZONE = /[T ]\d{2}:\d{2}(?::[\d.]+)?$/
const timeBound = (description: string) =>
  z
    .string()
    .max(TIME_BOUND_MAX_CHARACTERS, TIME_BOUND_ERROR)
    .refine((text) => isTimeBound(text) && !WITHOUT_ZONE.test(text), TIME_BOUND_ERROR)
    .optional()
    .meta({
      description: `${description} ISO 8601 (a date means its first moment in UTC), a month such as \`2026-03\`, or words such as \`yesterday\` or \`last week\`.`,
    })

/** Fields of `POST /v1/memorize` in addition to the file. */
export const memorizeFields = z.object({
  user_name: z.string().meta({
    description: `Name used for first-person narratives, at most ${NAME_MAX_CHARACTERS} characters.`,
    minLength: 1,
    maxLength: NAME_MAX_CHARACTERS,
    examples: ['Ada Lovelace'],
  }),
  item_id: itemId.optional(),
  source_type: sourceField('Source of the file; the key must have access to it.').default(DEFAULT_SOURCE_TYPE),
  agent: z
    .string()
    .max(AGENT_MAX_CHARACTERS)
    .optional()
    .meta({
      description: 'Extension. Name of the agent that wrote the file; shown with its memories.',
      examples: ['claude-code 2.1'],
    }),
  connector: z
    .string()
    .trim()
    .max(CONNECTOR_NAME_MAX_CHARACTERS)
    .optional()
    .meta({
      description:
        'Extension. The connector that read the file, or the app of an export; questions can be limited to it.',
      examples: ['notion'],
    }),
  on_conflict: z.enum(['reject', 'replace'], { error: 'must be reject or replace' }).default('reject').meta({
    description:
      'Extension. `reject`: 409 when the item exists. `replace`: the old memories stay until the new ones are ready; the same bytes change nothing.',
  }),
  priority: z.enum(PRIORITIES, { error: 'must be normal or low' }).default('normal').meta({
    description:
      'Extension. `low`: processed after all other uploads, of any account, such as old mail of a first sync.',
  }),
})

export const memorizeForm = memorizeFields.extend({
  file: z.file().meta({
    description:
      'Text in UTF-8, DOCX, XLSX, PPTX, ODT, ODS, ODP or an image (PNG, JPEG, TIFF, WebP) with text up to 10 MB, or a PDF up to 20 MB.',
  }),
})

const connectorField = (description: string) =>
  z
    .string()
    .trim()
    .max(CONNECTOR_NAME_MAX_CHARACTERS)
    .optional()
    .meta({ description, examples: ['notion'] })

const tagField = (description: string) =>
  z
    .string()
    .trim()
    .optional()
    .meta({ description, maxLength: TAG_MAX_CHARACTERS, examples: ['taxes 2026'] })

const filters = {
  since: timeBound('Extension. Only what happened at or after this time.'),
  until: timeBound('Extension. Only what happened before this time.'),
  person: z
    .string()
    .trim()
    .max(PERSON_MAX_CHARACTERS)
    .optional()
    .meta({ description: 'Extension. Only what this person said, wrote or took part in. Part of a name is enough.' }),
  project: z
    .string()
    .trim()
    .max(PROJECT_MAX_CHARACTERS)
    .optional()
    .meta({
      description:
        'Extension. Only what is from this project or mentions it: a repository, folder name, project or channel.',
      examples: ['acme/shop'],
    }),
  connector: connectorField('Extension. Only items of this connector, or of this app of an export.'),
  tag: tagField('Extension. Only items with this tag; case does not matter.'),
}

export const recallForm = z.object({
  text: queryText('What to recall, in your own words.', 'What did we decide about the billing migration?'),
  source: sourceField('Only memories from this source; the key must have access to it.').optional(),
  limit: whole({
    min: 1,
    max: MAX_RECALL_LIMIT,
    range: `from 1 to ${MAX_RECALL_LIMIT}`,
    standard: DEFAULT_RECALL_LIMIT,
    description: 'Extension. Maximum number of memories, and of chunks.',
  }),
  ...filters,
  as_of: timeBound('Extension. The state at the end of this time; later items are ignored.'),
})

export const askForm = z.object({
  as_of: timeBound('Extension. The state at the end of this time; later items are ignored.'),
  context: z.string().max(CONTEXT_MAX_CHARACTERS).optional().meta({
    description:
      'Extension. Previous questions and answers, latest last, for understanding follow-up questions such as `and when was that?`.',
  }),
  text: queryText('A question.', 'When does the billing migration start?'),
  ...filters,
  citations: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false').meta({
    description: 'Extension. `true`: the response also has `abstained`, `citations` and, if there is one, `notice`.',
  }),
})

export const recentQuery = z.object({
  source: sourceField('Only from this source; the key must have access to it.').optional(),
  limit: whole({
    min: 1,
    max: MAX_RECENT_LIMIT,
    range: `from 1 to ${MAX_RECENT_LIMIT}`,
    standard: DEFAULT_RECENT_LIMIT,
    description: 'Maximum number of items.',
  }),
  ...filters,
})

export const openQuery = z.object({
  handle: z.string().meta({
    description: 'Handle of a passage in a result, or source and `item_id` of an item, for its beginning.',
    minLength: 1,
    examples: ['r12.7', 'r12.7-9', 'text/meeting-2026-03-04'],
  }),
  around: whole({
    min: 0,
    max: MAX_AROUND,
    range: `from 0 to ${MAX_AROUND}`,
    standard: DEFAULT_AROUND,
    description: 'Passages before and after it.',
  }),
})

const idLines = (description: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(/\r?\n/).filter((line) => line !== ''))
    .refine((ids) => ids.length <= SUGGESTION_MAX_IDS, `must have at most ${SUGGESTION_MAX_IDS} lines`)
    .meta({ description: `${description} One per line.` })

const agentHost = z
  .string()
  .regex(/^[a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens')
  .max(HOST_MAX_CHARACTERS)
  .optional()
  .meta({ description: "Program in which the agent runs; shown in the account's activity.", examples: ['claude-code'] })

export const suggestionForm = z.object({
  text: z.string().meta({
    description: 'The prompt.',
    minLength: 1,
    maxLength: PROMPT_MAX_CHARACTERS,
    examples: ["I'm ready to start the plan we made. What is the first step?"],
  }),
  earlier: whole({
    min: 0,
    max: 1_000_000,
    range: 'from 0 to 1000000',
    standard: 0,
    description: 'Prompts of the same session before this one.',
  }),
  seen: idLines('IDs of passages already shown in this session.'),
  session: z.string().max(SESSION_MAX_CHARACTERS).optional().meta({
    description: 'Session of the agent; its own items are skipped.',
  }),
  host: agentHost,
})

export const briefingForm = z.object({
  folders: z
    .string()
    .transform((text) => text.split(/\r?\n/).filter((line) => line !== ''))
    .refine((folders) => folders.length > 0, 'must name a folder')
    .refine((folders) => folders.length <= BRIEFING_MAX_FOLDERS, `must have at most ${BRIEFING_MAX_FOLDERS} lines`)
    .refine(
      (folders) => folders.every(({ length }) => length <= FOLDER_MAX_CHARACTERS),
      `must have lines of at most ${FOLDER_MAX_CHARACTERS} characters`,
    )
    .meta({
      description:
        'Folders of the project, one per line; `~` is the home folder. Sessions in these folders and their subfolders belong to the project.',
      examples: ['~/src/shop'],
    }),
  repository: z
    .string()
    .max(REPOSITORY_MAX_CHARACTERS)
    .optional()
    .meta({
      description: 'Repository of the project.',
      examples: ['acme/shop'],
    }),
  session: z.string().max(SESSION_MAX_CHARACTERS).optional().meta({
    description: 'Session of the agent; its own items are skipped.',
  }),
  host: agentHost,
})

export const correctionForm = z.object({
  text: z.string().meta({
    description: 'Corrected text.',
    minLength: 1,
    maxLength: CORRECTION_MAX_CHARACTERS,
    examples: ['The offsite is in Porto, not in Lisbon.'],
  }),
})

export const noteForm = z.object({
  text: z.string().meta({
    description: 'Text of the note.',
    minLength: 1,
    maxLength: CORRECTION_MAX_CHARACTERS,
    examples: ['Priya booked the rooms; ask her about the seating.'],
  }),
})

/** A page of what people changed. */
export const editsQuery = z.object({
  kind: z.enum(EDIT_KINDS, { error: `must be one of ${EDIT_KINDS.join(', ')}` }).optional(),
  limit: whole({
    min: 1,
    max: MAX_EDITS,
    range: `from 1 to ${MAX_EDITS}`,
    standard: DEFAULT_EDITS,
    description: 'Page size.',
  }),
  offset: whole({ min: 0, max: 1_000_000, range: 'from 0 to 1000000', standard: 0, description: 'Edits to skip.' }),
})

export const editListResult = editList.meta({ id: 'EditList' })

export const editParams = z.object({ id: z.string().meta({ description: 'ID from the list of edits.' }) })

export const memoryParams = z.object({ custom_id: z.string().meta({ description: 'As returned by recall.' }) })

export const memoryQuery = z.object({
  source_type: sourceField('Without it, every source of the key is searched.').optional(),
})

export const subjectParams = z.object({
  name: z.string().meta({
    description: 'A name, or the start of one.',
    minLength: 1,
    maxLength: PERSON_MAX_CHARACTERS,
    examples: ['Priya'],
  }),
})

const nameField = (description: string, example: string) =>
  z.string().meta({ description, minLength: 1, maxLength: PERSON_MAX_CHARACTERS, examples: [example] })

export const nameParams = z.object({ name: nameField('The complete name.', 'Priya') })

export const mergeQuery = z.object({ into: nameField('Another name of the same person.', 'Priya Raman') })

export const subjectListQuery = z.object({
  limit: whole({
    min: 1,
    max: MAX_SUBJECT_LIMIT,
    range: `from 1 to ${MAX_SUBJECT_LIMIT}`,
    standard: DEFAULT_SUBJECT_LIMIT,
    description: 'Maximum number of names.',
  }),
  offset: whole({ min: 0, max: 1_000_000, range: 'from 0 to 1000000', standard: 0, description: 'Names to skip.' }),
})

export const listQuery = z.object({
  source_type: sourceField('Source of the files.'),
  connector: connectorField('Extension. Only files of this connector.'),
  tag: tagField('Extension. Only files with this tag.'),
  limit: whole({
    min: 1,
    max: MAX_LIST_LIMIT,
    range: `from 1 to ${MAX_LIST_LIMIT}`,
    standard: DEFAULT_LIST_LIMIT,
    description: 'Page size.',
  }),
  offset: whole({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    range: '0 or more',
    standard: 0,
    description: 'Files to skip.',
  }),
  start_date: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: 'Accepted, but ignored.' }),
})

export const downloadQuery = z.object({
  item_id: itemId,
  source_type: sourceField('Without it, every source of the key is searched.').optional(),
})

export const fileParams = z.object({ source_type: sourceField('Source of the file.'), item_id: itemId })

const tagLines = (description: string) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(/\r?\n/).filter((line) => line.trim() !== ''))
    .refine((tags) => tags.length <= MOST_TAGS, `must have at most ${MOST_TAGS} lines`)
    .meta({
      description: `${description} One per line, each at most ${TAG_MAX_CHARACTERS} characters.`,
      examples: ['taxes 2026'],
    })

export const tagForm = z.object({ add: tagLines('Tags to add.'), remove: tagLines('Tags to remove.') })
