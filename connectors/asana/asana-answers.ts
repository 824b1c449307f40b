import { z } from 'zod'

// Plan, task type and permissions decide which fields are present: all but the id may be missing.
const gid = z.union([z.string().min(1), z.int()]).transform(String)
const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const named = z.object({ gid, name: text })
const reference = named.optional().catch(undefined)
const instant = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .optional()
  .catch(undefined)

/** `undefined` for an element in an unknown format. */
function listOf<T>(schema: z.ZodType<T>) {
  return z
    .array(schema.optional().catch(undefined))
    .transform((found) => found.filter((element) => element !== undefined))
    .optional()
    .catch(undefined)
}

export type Named = { readonly gid: string; readonly name?: string | undefined }

export const personAnswer = z.object({ gid, name: text, email: text })
export const workspaceAnswer = named

export const projectAnswer = z.object({
  gid,
  name: text,
  archived: flag,
  completed: flag,
  created_at: instant,
  modified_at: instant,
  start_on: text,
  due_on: text,
  notes: text,
  html_notes: text,
  owner: reference,
  team: reference,
  workspace: reference,
  permalink_url: text,
  privacy_setting: text,
  public: flag,
  current_status_update: reference,
  project_brief: reference,
})
export type AsanaProject = z.infer<typeof projectAnswer>

const customField = z.object({ gid, name: text, display_value: text })
const membership = z.object({ project: reference, section: reference })

export const taskAnswer = z.object({
  gid,
  name: text,
  resource_subtype: text,
  is_rendered_as_separator: flag,
  approval_status: text,
  completed: flag,
  completed_at: instant,
  created_at: instant,
  modified_at: instant,
  start_on: text,
  due_on: text,
  due_at: text,
  notes: text,
  html_notes: text,
  assignee: reference,
  created_by: reference,
  followers: listOf(named),
  parent: reference,
  projects: listOf(named),
  memberships: listOf(membership),
  tags: listOf(named),
  custom_fields: listOf(customField),
  workspace: reference,
  permalink_url: text,
  num_subtasks: z.int().min(0).optional().catch(undefined),
})
export type AsanaTask = z.infer<typeof taskAnswer>

export const storyAnswer = z.object({
  gid,
  type: text,
  resource_subtype: text,
  created_at: instant,
  created_by: reference,
  text,
  html_text: text,
  sticker_name: text,
  target: reference,
})
export type AsanaStory = z.infer<typeof storyAnswer>

export const statusAnswer = z.object({
  gid,
  title: text,
  text,
  html_text: text,
  status_type: text,
  created_at: instant,
  modified_at: instant,
  author: reference,
  created_by: reference,
})
export type AsanaStatus = z.infer<typeof statusAnswer>

export const briefAnswer = z.object({ gid, title: text, text, html_text: text })

const touched = z.object({ gid, resource_type: text }).optional().catch(undefined)
export const eventAnswer = z.object({ action: text, type: text, resource: touched, parent: touched })
export type AsanaEvent = z.infer<typeof eventAnswer>

export const pageAnswer = z.object({
  data: z.array(z.unknown()),
  // Any other response is an error: a listing that ends early would look like deletions.
  next_page: z.object({ offset: z.string().min(1) }).nullish(),
})
export const recordAnswer = z.object({ data: z.unknown() })
export const eventsAnswer = z.object({
  data: z
    .array(eventAnswer.optional().catch(undefined))
    .transform((events) => events.filter((event) => event !== undefined)),
  sync: z.string().min(1),
  has_more: flag,
})
export const lostSyncAnswer = z.object({ sync: z.string().min(1).optional().catch(undefined) })
export const errorAnswer = z.object({
  errors: z
    .array(z.object({ message: text }))
    .optional()
    .catch(undefined),
})

/** Requested fields; by default Asana returns little more than names. */
export const FIELDS = {
  person: 'name,email',
  project:
    'name,archived,completed,created_at,modified_at,start_on,due_on,notes,html_notes,owner.name,team.name,workspace.name,permalink_url,privacy_setting,public,current_status_update,project_brief',
  task: 'name,resource_subtype,approval_status,completed,completed_at,created_at,modified_at,start_on,due_on,due_at,notes,html_notes,assignee.name,created_by.name,followers.name,parent.name,projects.name,memberships.project.name,memberships.section.name,tags.name,custom_fields.name,custom_fields.display_value,workspace.name,permalink_url,num_subtasks',
  taskRef:
    'gid,name,modified_at,completed,resource_subtype,num_subtasks,parent,projects.name,memberships.project.name,assignee,workspace',
  subtask:
    'name,resource_subtype,is_rendered_as_separator,approval_status,completed,created_at,modified_at,due_on,due_at,notes,assignee.name',
  story: 'type,resource_subtype,created_at,created_by.name,text,html_text,sticker_name',
  storyTarget: 'type,resource_subtype,target',
  status: 'title,text,html_text,status_type,created_at,modified_at,author.name,created_by.name',
  brief: 'title,text,html_text',
  event: 'action,type,resource,resource.resource_type,parent,parent.resource_type',
} as const
