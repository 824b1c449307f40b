import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { type AsanaProject, type AsanaStatus, briefAnswer, FIELDS, statusAnswer } from './asana-answers.ts'
import { unlessNotOffered } from './asana-failure.ts'
import type { AsanaRun } from './asana-run.ts'
import { byTime, labelled, paragraphs, spokenHeading, writtenText } from './asana-text.ts'
import { visibilityOf } from './task-item.ts'

export function projectRef({ gid, name }: AsanaProject): ItemRef & { readonly title: string } {
  const title = `Project ${name?.trim() || 'without a name'}`
  return { sourceType: 'asana', itemId: sourceItemId('asana', 'proj', gid), title }
}

/** Changes with the fields of a project listing; status updates and briefs may be edited without it. */
export function projectDigest(project: AsanaProject): string {
  return digest(project)
}

/** A project's description, brief and status updates. Costs at least one request. */
export async function projectItem(project: AsanaProject, run: AsanaRun): Promise<SourceItem> {
  const { gid, name = gid } = project
  const request = {
    path: 'status_updates',
    query: { parent: gid },
    fields: FIELDS.status,
    asked: `the status of ${name}`,
    isOptional: true,
  }
  const listed = await unlessNotOffered(() => run.gateway.all(statusAnswer, request))
  const statuses = (listed ?? []).sort(byTime)
  const body = projectBody(project, await briefOf(project, run), statuses)
  const changes = [project, ...statuses].flatMap(({ modified_at: at }) => at?.getTime() ?? [])
  const people = [project.owner, ...statuses.map(authorOf)].flatMap((who) => who?.name ?? [])
  return {
    ...projectRef(project),
    revision: digest([project.name, project.permalink_url, project.workspace?.name, visibilityOf(project), body]),
    ...(project.permalink_url !== undefined && { url: project.permalink_url }),
    ...(project.owner?.name !== undefined && { author: project.owner.name }),
    people: [...new Set(people)],
    ...(project.name !== undefined && { where: project.name }),
    parents: [project.workspace?.name, project.team?.name].flatMap((name) => name ?? []),
    visibility: visibilityOf(project),
    ...(project.created_at && { createdAt: project.created_at }),
    ...(changes.length > 0 && { updatedAt: new Date(Math.max(...changes)) }),
    body,
  }
}

async function briefOf({ project_brief: brief, name }: AsanaProject, run: AsanaRun): Promise<string> {
  if (brief === undefined) return ''
  const request = {
    path: `project_briefs/${encodeURIComponent(brief.gid)}`,
    fields: FIELDS.brief,
    asked: `the brief of ${name ?? 'a project'}`,
    isOptional: true,
  }
  const found = await unlessNotOffered(() => run.gateway.one(briefAnswer, request))
  const text = found === undefined ? '' : writtenText(found.html_text, found.text)
  return text === '' ? '' : `## ${found?.title?.trim() || 'Project brief'}\n\n${text}`
}

function authorOf({ author, created_by: creator }: AsanaStatus) {
  return author ?? creator
}

function projectBody(project: AsanaProject, brief: string, statuses: readonly AsanaStatus[]): string {
  const state = project.completed ? 'completed' : project.archived ? 'archived' : 'active'
  const facts = [
    `State: ${state}.`,
    ...labelled('Owner', project.owner?.name),
    ...labelled('Team', project.team?.name),
    ...labelled('Start', project.start_on),
    ...labelled('Due', project.due_on),
  ]
  return `${paragraphs([
    writtenText(project.html_notes, project.notes),
    facts.join(' '),
    brief,
    ...statuses.flatMap((status) => [
      spokenHeading('Status update', authorOf(status), status.created_at),
      [status.title?.trim(), status.status_type && `(${status.status_type.replaceAll('_', ' ')})`]
        .filter(Boolean)
        .join(' '),
      writtenText(status.html_text, status.text),
    ]),
  ])}\n`
}
