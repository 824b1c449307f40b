import { describe, expect, test, vi } from 'vitest'
import { runGdocs, textOf } from '../../fakes/google/gdocs-run.ts'
import { BOB, type FakeFile, GoogleDrive } from '../../fakes/google/google-drive.ts'

const MB = 1024 * 1024

/** What one file says. */
async function told(drive: GoogleDrive, file: FakeFile, config: Record<string, unknown> = {}) {
  const item = (await runGdocs(drive, { config })).items.get(file.id)
  drive.server.takeLog()
  return { item, text: await textOf(item), requests: drive.server.takeLog() }
}

describe('what is told of a document', () => {
  test('is all of its tabs, where it lies, and who wrote it', async () => {
    await using drive = await GoogleDrive.start()
    const folder = drive.folder('Alpha', drive.folder('Projects').id)
    const file = drive.document('Plan', '', folder.id)
    const nested = { title: 'Budget', lines: ['# Sums', '300 euros.'] }
    file.content = {
      tabs: [{ title: 'Overview', lines: ['# Aim', 'We build.', '- One', '- Two'], children: [nested] }],
    }
    const { item, text } = await told(drive, file)
    expect(item).toMatchObject({
      itemId: `gdrive:${file.id}`,
      title: 'Plan',
      url: `https://docs.google.com/document/d/${file.id}/edit`,
      author: 'Ada Lovelace',
      where: 'Alpha',
      parents: ['My Drive', 'Projects', 'Alpha'],
      visibility: 'private',
    })
    expect(text).toBe('# Overview\n\n## Aim\n\nWe build.\n\n- One\n- Two\n\n# Budget\n\n## Sums\n\n300 euros.')
  })

  test('is the export where the API of Google Docs does not know it, without pictures', async () => {
    await using drive = await GoogleDrive.start()
    const lines = 'Text ![chart][image1].\n\n[image1]: <data:image/png;base64,iVBORw0KGgo=>'
    const file = drive.document('Plan', lines, 'root', { isExportOnly: true })
    expect((await told(drive, file)).text).toBe('Text chart.')
  })

  test('is all of it where an export would be too large', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Long', 'A'.repeat(11 * MB))
    // On a busy machine a request for 11 MB may time out, which the connector reports as an error to retry.
    const patience = { timeout: 100_000, interval: 100 }
    await vi.waitFor(async () => expect((await told(drive, file)).text).toHaveLength(11 * MB), patience)
    drive.touch(file, { isExportOnly: true })
    await vi.waitFor(() => expect(told(drive, file)).rejects.toMatchObject({ remedy: 'skip' }), patience)
  })

  test('ends with the comments on it, and what was answered', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    const reply = { author: 'Ada Lovelace', content: '', action: 'resolve' }
    drive.comment(file, { content: 'Is this so?\n# Really', quoted: 'We &amp; they', resolved: true, replies: [reply] })
    expect((await told(drive, file)).text).toBe(
      `Text.

## Comment by Bob Smith at 2026-03-02T10:00:00.000Z

> We & they

Is this so?
\\# Really

This comment is resolved.

## Reply by Ada Lovelace at 2026-03-02T10:00:00.000Z

Marked as resolved.`,
    )
    const { text, requests } = await told(drive, file, { comments: false })
    expect([text, requests]).toEqual(['Text.', [`GET /v1/documents/${file.id}`]])
  })

  test('is more than a hundred comments', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    for (let number = 1; number <= 120; number += 1) drive.comment(file, { content: `Comment ${number}.` })
    expect((await told(drive, file)).text?.match(/^Comment \d+\.$/gm)).toHaveLength(120)
  })

  test('is the text alone where its comments may not be seen', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    drive.server.faults.push({ path: /comments$/, status: 403, reason: 'insufficientFilePermissions' })
    expect((await told(drive, file)).text).toBe('Text.')
  })

  test('does not miss its comments because of a limit', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    drive.server.faults.push({ path: /comments$/, status: 403, reason: 'userRateLimitExceeded' })
    await expect(told(drive, file)).rejects.toMatchObject({ remedy: 'retry', limited: true })
  })

  test('says which API has to be enabled', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    drive.server.faults.push({ path: /^\/v1\/documents/, status: 403, reason: 'accessNotConfigured' })
    await expect(told(drive, file)).rejects.toThrow('The API of Google Docs is disabled. Enable it')
  })

  test('is nothing when it is deleted meanwhile', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.document('Plan')
    const { items } = await runGdocs(drive)
    drive.lose(file)
    expect(await textOf(items.get(file.id))).toBeUndefined()
  })
})

describe('what is told of', () => {
  test('a spreadsheet is every sheet as a table', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.file('Costs', 'application/vnd.google-apps.spreadsheet')
    file.content = {
      sheets: [
        { title: "Ada's", rows: [['What', 'Cost'], ['Rent | heat', '300'], [], ['Food']] },
        { title: 'Empty', rows: [] },
        { title: 'Long', rows: Array.from({ length: 6000 }, (_, row) => [`row ${row}`]) },
      ],
    }
    const { text = '' } = await told(drive, file)
    expect(text).toContain("## Ada's\n\n| What | Cost |\n| --- | --- |\n| Rent \\| heat | 300 |\n| Food |  |")
    expect(text).not.toContain('Empty')
    expect(text).toContain('(The first 5000 rows of 6000.)')
    expect([text.includes('row 4999'), text.includes('row 5000')]).toEqual([true, false])
    drive.touch(file, { isExportOnly: true })
    expect((await told(drive, file)).text).toContain('| Rent \\| heat | 300 |')
  })

  test('a spreadsheet is every sheet, however many there are and however long their names', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.file('Costs', 'application/vnd.google-apps.spreadsheet')
    const sheets = Array.from({ length: 60 }, (_, at) => ({
      title: `${'費用'.repeat(40)} ${at}`,
      rows: [[`Of ${at}`]],
    }))
    file.content = { sheets }
    const { text = '', requests } = await told(drive, file)
    expect(text.match(/^## /gm)).toHaveLength(60)
    expect(text).toContain(`${'費用'.repeat(40)} 59\n\n| Of 59 |`)
    expect(requests.filter((line) => line.includes('values:batchGet'))).toHaveLength(8)
  })

  test('a presentation is every slide with its notes', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.file('Talk', 'application/vnd.google-apps.presentation')
    file.content = {
      slides: [
        { title: 'Welcome', text: 'To the talk', notes: 'Smile.' },
        { title: 'End', text: 'Thanks' },
      ],
    }
    expect((await told(drive, file)).text).toBe(
      '## Slide 1: Welcome\n\nTo the talk\n\nSpeaker notes: Smile.\n\n## Slide 2: End\n\nThanks',
    )
    drive.touch(file, { isExportOnly: true })
    expect((await told(drive, file)).text).toBe('Welcome\nTo the talk\nEnd\nThanks')
  })

  test('an uploaded file is its bytes, by a name that says what they are', async () => {
    await using drive = await GoogleDrive.start()
    const bytes = Buffer.from('# Notes')
    const notes = drive.file('notes.md', 'application/octet-stream', 'root', { bytes })
    const paper = drive.file('Paper', 'application/pdf', 'root', { bytes })
    const { items } = await runGdocs(drive)
    expect(items.get(notes.id)).toMatchObject({ fileName: 'notes.md', contentType: 'text/markdown' })
    expect(items.get(paper.id)).toMatchObject({ fileName: 'Paper.pdf', contentType: 'application/pdf' })
    expect(await textOf(items.get(notes.id))).toBe('# Notes')
  })

  test('an uploaded file is readable when it is so in other drives too', async () => {
    await using drive = await GoogleDrive.start()
    const bytes = Buffer.from('A\tB')
    const types = {
      'costs.tsv': 'text/tab-separated-values',
      'Party.ics': 'text/calendar',
      'book.vcf': 'text/x-vcard',
      'guide.rst': 'application/octet-stream',
      'main.bin': 'application/octet-stream',
      Talk: 'text/vtt',
    }
    for (const [name, type] of Object.entries(types)) drive.file(name, type, 'root', { bytes })
    const { items } = await runGdocs(drive)
    const found = [...items.values()].map(({ fileName, contentType }) => `${fileName} ${contentType}`)
    expect(found.sort()).toEqual([
      'Party.ics text/calendar',
      'Talk.vtt text/vtt',
      'book.vcf text/vcard',
      'costs.tsv text/tab-separated-values',
      'guide.rst text/x-rst',
    ])
  })

  test('a file that is too large, or may not be downloaded, is why', async () => {
    await using drive = await GoogleDrive.start()
    const large = drive.file('Scan.pdf', 'application/pdf', 'root', { size: 21 * MB })
    const locked = drive.document('Locked', 'Secret.', 'root', { canDownload: false })
    const liar = drive.file('Liar.txt', 'text/plain', 'root', { size: 5, bytes: Buffer.alloc(11 * MB, 'A') })
    const { items, failed } = await runGdocs(drive)
    expect(failed).toEqual(
      new Map([
        [large.id, '"Scan.pdf" is larger than 20 MB.'],
        [locked.id, `The owner of "Locked" doesn't allow downloads.`],
      ]),
    )
    await expect(textOf(items.get(liar.id))).rejects.toThrow('"Liar.txt" is larger than 10 MB.')
  })

  test('a file whose download is limited is read later', async () => {
    await using drive = await GoogleDrive.start()
    const file = drive.file('Notes.txt', 'text/plain', 'root', { bytes: Buffer.from('Notes') })
    const { items } = await runGdocs(drive)
    const limit = { path: /^\/drive\/v3\/files\/1file/, status: 403, reason: 'userRateLimitExceeded' }
    drive.server.faults.push(limit, { ...limit, reason: 'cannotDownloadAbusiveFile' })
    await expect(textOf(items.get(file.id))).rejects.toMatchObject({ remedy: 'retry', limited: true })
    await expect(textOf(items.get(file.id))).rejects.toThrow('(403, cannotDownloadAbusiveFile)')
    expect(await textOf(items.get(file.id))).toBe('Notes')
  })

  test('a shortcut is what it leads to', async () => {
    await using drive = await GoogleDrive.start()
    const target = drive.document('Elsewhere', 'Text.', drive.addDrive('0AOther', 'Other'))
    const shortcut = drive.shortcut(target)
    const { items } = await runGdocs(drive)
    expect([items.has(target.id), items.has(shortcut.id)]).toEqual([true, false])
  })
})

describe('what is taken of Drive', () => {
  const names = async (drive: GoogleDrive, config: Record<string, unknown> = {}) =>
    [...(await runGdocs(drive, { config })).items.values()].map(({ title }) => title).sort()

  test('is text: no pictures, recordings or forms', async () => {
    await using drive = await GoogleDrive.start()
    for (const type of ['image/png', 'video/mp4', 'application/zip', 'application/vnd.google-apps.form']) {
      drive.file('Other', type)
    }
    drive.document('Plan')
    drive.file('Notes.txt', 'text/plain', 'root', { bytes: Buffer.from('Notes') })
    expect(await names(drive)).toEqual(['Notes.txt', 'Plan'])
    expect(await names(drive, { kinds: ['documents'] })).toEqual(['Plan'])
  })

  test('of what others shared, is what was opened, unless settings say otherwise', async () => {
    await using drive = await GoogleDrive.start()
    const folder = drive.folder('Mine')
    drive.shared('Opened', { viewedByMeTime: '2026-03-01T00:00:00Z' })
    drive.shared('Never opened')
    drive.document('By Bob in my folder', 'Text.', folder.id, { owner: BOB })
    expect(await names(drive)).toEqual(['By Bob in my folder', 'Opened'])
    expect(await names(drive, { shared_with_me: 'all' })).toEqual(['By Bob in my folder', 'Never opened', 'Opened'])
    expect(await names(drive, { shared_with_me: 'none' })).toEqual(['By Bob in my folder'])
    const { items } = await runGdocs(drive)
    const opened = [...items.values()].find(({ title }) => title === 'Opened')
    expect(opened).toMatchObject({ where: 'Shared with me', author: 'Bob Smith', visibility: 'shared' })
  })

  test('is what lies in the folders that are named, and not in those that are excluded', async () => {
    await using drive = await GoogleDrive.start()
    const projects = drive.folder('Projects')
    const old = drive.folder('Old', projects.id)
    drive.document('Plan', 'Text.', projects.id)
    drive.document('Old plan', 'Text.', old.id)
    drive.document('Elsewhere')
    drive.document('Of the team', 'Text.', drive.addDrive('0ATeam', 'Team'))
    expect(await names(drive, { folders: ['projects'] })).toEqual(['Old plan', 'Plan'])
    expect(await names(drive, { folders: [projects.id], exclude: ['Projects/Old'] })).toEqual(['Plan'])
    expect(await names(drive, { folders: ['Team'] })).toEqual(['Of the team'])
    expect(await names(drive, { exclude: ['Team', 'Projects'] })).toEqual(['Elsewhere'])
    expect(await names(drive, { shared_drives: false })).toEqual(['Elsewhere', 'Old plan', 'Plan'])
  })

  test('is what changed since a day', async () => {
    await using drive = await GoogleDrive.start()
    drive.document('Old')
    drive.pass(3 * 24 * 60)
    drive.document('New')
    expect(await names(drive, { since: '2026-03-04' })).toEqual(['New'])
  })

  test('is also what lies in folders that lead in a circle, or that nobody may see', async () => {
    await using drive = await GoogleDrive.start()
    const [one, two] = [drive.folder('One'), drive.folder('Two')]
    one.parents = [two.id]
    two.parents = [one.id]
    drive.document('In a circle', 'Text.', one.id)
    drive.document('Orphan', 'Text.', 'nowhere')
    const refused = drive.folder('Refused')
    drive.document('Below', 'Text.', refused.id)
    refused.isLost = true
    drive.server.faults.push({
      path: new RegExp(`/files/${refused.id}$`),
      status: 403,
      reason: 'insufficientFilePermissions',
    })
    expect(await names(drive)).toEqual(['Below', 'In a circle', 'Orphan'])
  })

  test('is read with few requests: folders come with listings', async () => {
    await using drive = await GoogleDrive.start()
    for (let number = 0; number < 20; number += 1) drive.document('Plan', 'Text.', drive.folder(`F${number}`).id)
    const { requests } = await runGdocs(drive)
    expect(requests).toEqual([
      'GET /drive/v3/about',
      'GET /drive/v3/drives',
      'GET /drive/v3/changes/startPageToken',
      'GET /drive/v3/files',
      'GET /drive/v3/files',
      'GET /drive/v3/files/root',
      'GET /drive/v3/files',
    ])
  })
})
