/** A record as Asana would give it, with every field it has. */
export interface AsanaRecord {
  readonly gid: string
  readonly resource_type: string
  name?: string
  [field: string]: unknown
}

export interface AsanaTaskRecord extends AsanaRecord {
  projects: AsanaRecord[]
  memberships: { project: AsanaRecord; section: { gid: string; name: string } }[]
  parent: AsanaRecord | null
  assignee: AsanaRecord | null
  completed: boolean
  modified_at: string
}

export interface AsanaEventRecord {
  /** Projects in which it is told. */
  readonly projects: ReadonlySet<string>
  readonly event: Record<string, unknown>
}

export interface NewTask {
  readonly projects?: readonly string[]
  readonly parent?: string
  readonly assignee?: AsanaRecord
  readonly by?: AsanaRecord
  readonly fields?: Record<string, unknown>
}

const DAY_MS = 86_400_000
const ACME = '500'

/** Workspaces with projects and tasks, in a time that moves a second with each change. */
export class FakeAsana {
  now = new Date('2026-11-01T12:00:00.000Z')
  readonly ada: AsanaRecord = { gid: '900', resource_type: 'user', name: 'Ada Lovelace', email: 'ada@acme.test' }
  readonly bob: AsanaRecord = { gid: '901', resource_type: 'user', name: 'Bob Stone', email: 'bob@acme.test' }
  readonly workspaces: AsanaRecord[] = [{ gid: ACME, resource_type: 'workspace', name: 'Acme' }]
  readonly projects = new Map<string, AsanaRecord>()
  readonly tasks = new Map<string, AsanaTaskRecord>()
  /** By id of the task. */
  readonly stories = new Map<string, AsanaRecord[]>()
  /** By id of the project. */
  readonly statuses = new Map<string, AsanaRecord[]>()
  readonly briefs = new Map<string, AsanaRecord>()
  readonly events: AsanaEventRecord[] = []
  readonly #deleted = new Map<string, AsanaTaskRecord>()
  #lastId = 1000

  pass(days: number): void {
    this.now = new Date(this.now.getTime() + days * DAY_MS)
  }

  addProject(name: string, fields: Record<string, unknown> = {}): string {
    const at = this.#tick()
    const gid = String(fields.gid ?? this.#id())
    const workspace = this.workspaces[0]
    const given = { privacy_setting: 'public_to_workspace', owner: this.ada, workspace, notes: '', html_notes: '' }
    const place = { permalink_url: `https://app.asana.com/1/${ACME}/project/${gid}`, team: null, project_brief: null }
    this.projects.set(gid, {
      gid,
      resource_type: 'project',
      name,
      created_at: at,
      modified_at: at,
      archived: false,
      completed: false,
      start_on: null,
      due_on: null,
      current_status_update: null,
      ...place,
      ...given,
      ...fields,
    })
    return gid
  }

  editProject(gid: string, fields: Record<string, unknown>): void {
    Object.assign(this.project(gid), fields, { modified_at: this.#tick() })
  }

  addStatus(project: string, text: string, by: AsanaRecord = this.bob): void {
    const at = this.#tick()
    const status = {
      gid: this.#id(),
      resource_type: 'status_update',
      title: 'This week',
      text,
      status_type: 'on_track',
    }
    const record = { ...status, html_text: `<body>${text}</body>`, created_at: at, modified_at: at, author: by }
    this.statuses.set(project, [...(this.statuses.get(project) ?? []), record])
    this.project(project).current_status_update = record
  }

  addBrief(project: string, text: string): void {
    const brief = {
      gid: this.#id(),
      resource_type: 'project_brief',
      title: 'Why',
      text,
      html_text: `<body>${text}</body>`,
    }
    this.briefs.set(brief.gid, brief)
    this.project(project).project_brief = brief
  }

  addTask(name: string, { projects = [], parent, assignee, by = this.ada, fields = {} }: NewTask = {}): string {
    const at = this.#tick()
    const gid = String(fields.gid ?? this.#id())
    const task: AsanaTaskRecord = {
      gid,
      resource_type: 'task',
      resource_subtype: 'default_task',
      name,
      created_at: at,
      modified_at: at,
      completed: false,
      completed_at: null,
      due_on: null,
      due_at: null,
      start_on: null,
      notes: '',
      html_notes: '<body></body>',
      assignee: assignee ?? null,
      created_by: by,
      followers: [by],
      parent: parent === undefined ? null : this.task(parent),
      projects: [],
      memberships: [],
      tags: [],
      custom_fields: [],
      workspace: this.workspaces[0],
      permalink_url: `https://app.asana.com/1/${ACME}/task/${gid}`,
      ...fields,
    }
    this.tasks.set(gid, task)
    for (const project of projects) this.#join(task, project)
    for (const project of projects) this.#tell(task, 'added', this.project(project))
    if (parent !== undefined) this.#tell(task, 'added', this.task(parent))
    return gid
  }

  editTask(gid: string, fields: Record<string, unknown>): void {
    const task = this.task(gid)
    Object.assign(task, fields, { modified_at: this.#tick() })
    this.#tell(task, 'changed')
  }

  addToProject(gid: string, project: string): void {
    const task = this.task(gid)
    this.#join(task, project)
    task.modified_at = this.#tick()
    this.#tell(task, 'added', this.project(project))
  }

  removeFromProject(gid: string, project: string): void {
    const task = this.task(gid)
    this.#tell(task, 'removed', this.project(project))
    task.projects = task.projects.filter((one) => one.gid !== project)
    task.memberships = task.memberships.filter((one) => one.project.gid !== project)
    task.modified_at = this.#tick()
  }

  deleteTask(gid: string): void {
    const task = this.task(gid)
    if (task.parent !== null) this.#tell(task, 'removed', task.parent)
    this.#tell(task, 'deleted')
    this.tasks.delete(gid)
    this.#deleted.set(gid, task)
    this.#tick()
  }

  undeleteTask(gid: string): void {
    const task = this.#deleted.get(gid)
    if (task === undefined) throw new Error(`${gid} was not deleted`)
    this.tasks.set(gid, task)
    this.#tell(task, 'undeleted')
    this.#tick()
  }

  /** Gone, with what it alone holds, for the person: it was deleted, or access was lost. */
  loseProject(gid: string): void {
    for (const task of [...this.tasks.values()]) {
      if (!task.projects.some((project) => project.gid === gid)) continue
      task.projects = task.projects.filter((project) => project.gid !== gid)
      task.memberships = task.memberships.filter(({ project }) => project.gid !== gid)
      if (task.projects.length === 0 && task.assignee?.gid !== this.ada.gid) this.tasks.delete(task.gid)
    }
    this.projects.delete(gid)
  }

  comment(task: string, text: string, by: AsanaRecord = this.bob): string {
    const gid = this.#say(task, { resource_subtype: 'comment_added', type: 'comment', text, created_by: by })
    this.task(task).modified_at = this.now.toISOString()
    return gid
  }

  /** What the system says, such as `Bob changed the due date`. */
  note(task: string, text: string): void {
    this.#say(task, { resource_subtype: 'due_date_changed', type: 'system', text, created_by: this.bob })
  }

  /** The task is not modified by that. */
  editComment(task: string, gid: string, text: string): void {
    const story = this.stories.get(task)?.find((one) => one.gid === gid)
    Object.assign(story ?? {}, { text, html_text: `<body>${text}</body>` })
    this.#tick()
    this.#tell(this.task(task), 'changed', null, { gid, resource_type: 'story' })
  }

  deleteComment(task: string, gid: string): void {
    this.stories.set(
      task,
      (this.stories.get(task) ?? []).filter((one) => one.gid !== gid),
    )
    this.#tick()
    this.#tell(this.task(task), 'removed', this.task(task), { gid, resource_type: 'story' })
    this.#tell(this.task(task), 'deleted', null, { gid, resource_type: 'story' })
  }

  project(gid: string): AsanaRecord {
    const project = this.projects.get(gid)
    if (project === undefined) throw new Error(`no project ${gid}`)
    return project
  }

  task(gid: string): AsanaTaskRecord {
    const task = this.tasks.get(gid)
    if (task === undefined) throw new Error(`no task ${gid}`)
    return task
  }

  subtasks(gid: string): AsanaTaskRecord[] {
    return [...this.tasks.values()].filter(({ parent }) => parent?.gid === gid)
  }

  #say(task: string, said: Record<string, unknown>): string {
    const created_at = this.#tick()
    const gid = this.#id()
    const story = { gid, resource_type: 'story', created_at, html_text: `<body>${String(said.text)}</body>`, ...said }
    this.stories.set(task, [...(this.stories.get(task) ?? []), { ...story, target: this.task(task) }])
    this.#tell(this.task(task), 'added', this.task(task), { gid, resource_type: 'story' })
    return gid
  }

  #join(task: AsanaTaskRecord, gid: string): void {
    const project = this.project(gid)
    task.projects.push(project)
    task.memberships.push({ project, section: { gid: this.#id(), name: 'Doing' } })
  }

  /** To the projects of the task, and to those of the tasks above it. */
  #tell(
    task: AsanaTaskRecord,
    action: string,
    parent: AsanaRecord | null = null,
    { gid, resource_type }: { gid: string; resource_type: string } = task,
  ): void {
    const projects = new Set<string>()
    for (let at: AsanaRecord | null = task; at !== null; ) {
      const above: AsanaTaskRecord | undefined = this.tasks.get(at.gid) ?? (at === task ? task : undefined)
      for (const project of above?.projects ?? []) projects.add(project.gid)
      at = above?.parent ?? null
    }
    const resource = { gid, resource_type }
    const above = parent && { gid: parent.gid, resource_type: parent.resource_type }
    const created_at = this.now.toISOString()
    this.events.push({ projects, event: { action, type: resource_type, resource, parent: above, created_at } })
  }

  #id(): string {
    this.#lastId += 1
    return String(this.#lastId)
  }

  #tick(): string {
    this.now = new Date(this.now.getTime() + 1000)
    return this.now.toISOString()
  }
}
