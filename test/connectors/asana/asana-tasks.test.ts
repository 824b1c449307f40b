import { describe, expect, test } from 'vitest'
import { AsanaSimulation, bodyOf } from '../../fakes/asana/asana-simulation.ts'

describe('a task of Asana', () => {
  test('is told with its state, its subtasks and its comments, each by who wrote it', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch', { team: { gid: '700', resource_type: 'team', name: 'Makers' } })
    const html = [
      '<body>For <a href="https://app.asana.com/0/profile/901" data-asana-gid="901" data-asana-type="user">@Bob Stone</a>',
      'two lines<ul><li>one</li><li>two</li></ul></body>',
    ].join('\n')
    const task = fake.addTask('Draft the plan', {
      projects: [launch],
      assignee: fake.bob,
      fields: {
        html_notes: html,
        due_on: '2026-11-20',
        tags: [{ gid: '1', name: 'urgent' }],
        custom_fields: [
          { gid: '2', name: 'Priority', display_value: 'High' },
          { gid: '3', name: 'Cost', display_value: null },
        ],
      },
    })
    fake.addTask('Ask around', { parent: task, assignee: fake.ada, fields: { notes: 'First Carl,\nthen Dora' } })
    fake.addTask('Write it', { parent: task, fields: { completed: true } })
    fake.comment(task, 'Looks good')
    fake.note(task, 'Bob changed the due date')
    fake.comment(task, 'Thank you', fake.ada)
    const item = (await simulation.run()).items.get(`asana:${task}`)
    expect(item).toMatchObject({
      title: 'Draft the plan',
      author: 'Ada Lovelace',
      people: ['Ada Lovelace', 'Bob Stone'],
      where: 'Launch',
      parents: ['Acme', 'Launch'],
      visibility: 'public',
      url: `https://app.asana.com/1/500/task/${task}`,
      createdAt: new Date('2026-11-01T12:00:02Z'),
    })
    expect(await bodyOf(item)).toBe(`For @Bob Stone
two lines
- one
- two

State: open. Assignee: Bob Stone. Due: 2026-11-20. Projects: Launch (Doing). Tags: urgent.

Fields:

- Priority: High

Subtasks:

- [ ] Ask around (Ada Lovelace)
  First Carl,
  then Dora
- [x] Write it

## Comment by Bob Stone at 2026-11-01T12:00:05.000Z

Looks good

## Comment by Ada Lovelace at 2026-11-01T12:00:07.000Z

Thank you
`)
  })

  test('does not let a text pass for the comment of somebody else', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const task = fake.addTask('Task', { assignee: fake.ada })
    fake.comment(task, '## Comment by Ada Lovelace at 2026-01-01T00:00:00Z\nI agree')
    const body = await bodyOf((await simulation.run()).items.get(`asana:${task}`))
    expect(body.match(/^## Comment by/gm)).toHaveLength(1)
  })

  test('with hundreds of comments and subtasks is told whole', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const task = fake.addTask('Task', { assignee: fake.ada })
    for (let at = 0; at < 250; at += 1) fake.comment(task, `Part ${at}.`)
    for (let at = 0; at < 150; at += 1) fake.addTask(`Step ${at}.`, { parent: task })
    const body = await bodyOf((await simulation.run()).items.get(`asana:${task}`))
    expect([body.match(/Part \d+\./g)?.length, body.match(/Step \d+\./g)?.length]).toEqual([250, 150])
  })

  test('costs no request for what is not there, and its comments only when they are wanted', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    for (let at = 0; at < 120; at += 1) fake.addTask(`Task ${at}`, { assignee: fake.ada })
    await simulation.run()
    expect(server.log.map((path) => path.split('?')[0])).toEqual([
      'users/me',
      'workspaces',
      'projects',
      // The last 30 days, then everything.
      'tasks',
      'tasks',
      'tasks',
      'tasks',
    ])
  })

  test('that has little to tell, or odd fields, stops nothing', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const odd = { name: null, created_at: 'yesterday', followers: [null], custom_fields: 'none', assignee: fake.ada }
    const task = fake.addTask('', { fields: { ...odd, num_subtasks: null, created_by: null, workspace: null } })
    fake.comment(task, 'Of nobody', { gid: '1', resource_type: 'user' })
    const other = fake.addTask('Other', { assignee: fake.ada })
    const { items } = await simulation.run()
    expect([...items.keys()]).toEqual([`asana:${other}`])
    fake.editTask(task, { workspace: fake.workspaces[0] })
    expect(await bodyOf((await simulation.run()).items.get(`asana:${task}`))).toContain('## Comment by Somebody at')
  })

  test('is listed by its headings no more than by its separators', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch')
    fake.addTask('Old heading:', { projects: [launch], fields: { resource_subtype: 'section' } })
    const task = fake.addTask('Task', { projects: [launch] })
    fake.addTask('Line', { parent: task, fields: { is_rendered_as_separator: true } })
    const { items } = await simulation.run()
    expect([...items.keys()]).toEqual([`asana:proj:${launch}`, `asana:${task}`])
    expect(await bodyOf(items.get(`asana:${task}`))).not.toContain('Line')
  })

  test('changed before the day that is set is not taken, listed or read', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch')
    const old = fake.addTask('Old', { projects: [launch] })
    fake.pass(10)
    const recent = fake.addTask('Recent', { projects: [launch] })
    const config = { since: '2026-11-05' }
    expect([...(await simulation.run(config)).items.keys()]).toEqual([`asana:proj:${launch}`, `asana:${recent}`])
    expect((await simulation.inventory('Launch', config)).map(({ itemId }) => itemId)).not.toContain(`asana:${old}`)
    fake.comment(old, 'Still of use')
    expect([...(await simulation.run(config)).items.keys()]).toContain(`asana:${old}`)
  })
})

describe('a project of Asana', () => {
  test('is told with its description, its brief and its status updates', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake } = simulation
    const launch = fake.addProject('Launch', {
      html_notes: '<body>To the <strong>moon</strong></body>',
      due_on: '2027-01-01',
    })
    fake.addBrief(launch, 'Because it is there')
    fake.addStatus(launch, 'All is well')
    fake.addStatus(launch, 'Still well', fake.ada)
    const item = (await simulation.run()).items.get(`asana:proj:${launch}`)
    expect(item).toMatchObject({
      title: 'Project Launch',
      author: 'Ada Lovelace',
      people: ['Ada Lovelace', 'Bob Stone'],
    })
    expect(await bodyOf(item)).toBe(`To the **moon**

State: active. Owner: Ada Lovelace. Due: 2027-01-01.

## Why

Because it is there

## Status update by Bob Stone at 2026-11-01T12:00:02.000Z

This week (on track)

All is well

## Status update by Ada Lovelace at 2026-11-01T12:00:03.000Z

This week (on track)

Still well
`)
  })

  test('is asked for again only when the listing of projects shows a change', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const launch = fake.addProject('Launch')
    await simulation.run()
    server.log.length = 0
    expect((await simulation.run()).items.size).toBe(0)
    expect(server.count(/^status_updates/)).toBe(0)
    fake.addStatus(launch, 'News')
    expect(await bodyOf((await simulation.run()).items.get(`asana:proj:${launch}`))).toContain('News')
  })

  test('goes without what the plan or the token does not offer', async () => {
    await using simulation = await AsanaSimulation.open()
    const { fake, server } = simulation
    const launch = fake.addProject('Launch', { notes: 'To the moon', html_notes: undefined })
    fake.addBrief(launch, 'Because')
    fake.addTask('Task', { projects: [launch] })
    for (const [path, status] of [
      [/^status_updates/, 402],
      [/^project_briefs/, 403],
      [/^events/, 403],
    ] as const) {
      server.fault(path, { status })
    }
    const { items, failed } = await simulation.run()
    expect([items.size, failed]).toEqual([2, []])
    expect(await bodyOf(items.get(`asana:proj:${launch}`))).toBe('To the moon\n\nState: active. Owner: Ada Lovelace.\n')
  })
})
