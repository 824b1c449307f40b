import { type GoogleReply, googleError } from './google-server.ts'

/** What a made-up document of Google's editors says. */
export interface EditorContent {
  /** Lines: `# Heading`, `- point`, text. */
  readonly tabs?: readonly DocumentTab[]
  readonly sheets?: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[]
  readonly slides?: readonly { readonly title: string; readonly text: string; readonly notes?: string }[]
}

export interface DocumentTab {
  readonly title: string
  readonly lines: readonly string[]
  readonly children?: readonly DocumentTab[]
}

/** `documents.get` with `includeTabsContent`; without, only the first tab is there. */
export function documentAnswer(title: string, { tabs = [] }: EditorContent, withTabs: boolean): GoogleReply {
  if (!withTabs) return { body: { title, ...documentTab(tabs[0]) } }
  return { body: { title, revisionId: 'r1', tabs: tabs.map(tabAnswer) } }
}

function tabAnswer(tab: DocumentTab, index: number): object {
  return {
    tabProperties: { tabId: `t.${index}`, title: tab.title, index },
    documentTab: documentTab(tab),
    ...(tab.children && { childTabs: tab.children.map(tabAnswer) }),
  }
}

function documentTab(tab: DocumentTab | undefined): object {
  const lists = { 'kix.1': { listProperties: { nestingLevels: [{ glyphSymbol: '●' }] } } }
  return { body: { content: [{ endIndex: 1, sectionBreak: {} }, ...(tab?.lines ?? []).map(paragraphAnswer)] }, lists }
}

function paragraphAnswer(line: string): object {
  const [, marks = '', words = ''] = /^(#{1,6} |- )?(.*)$/.exec(line) ?? []
  const style = marks.startsWith('#') ? `HEADING_${marks.length - 1}` : 'NORMAL_TEXT'
  return {
    paragraph: {
      elements: [{ textRun: { content: `${words}\n`, textStyle: {} } }],
      paragraphStyle: { namedStyleType: style },
      ...(marks === '- ' && { bullet: { listId: 'kix.1' } }),
    },
  }
}

export function spreadsheetAnswer({ sheets = [] }: EditorContent): GoogleReply {
  const properties = sheets.map(({ title, rows }, index) => ({
    properties: {
      sheetId: index,
      title,
      index,
      sheetType: 'GRID',
      gridProperties: { rowCount: Math.max(1000, rows.length), columnCount: 26 },
    },
  }))
  return { body: { sheets: properties } }
}

export function valuesAnswer({ sheets = [] }: EditorContent, query: URLSearchParams): GoogleReply {
  const valueRanges: object[] = []
  for (const range of query.getAll('ranges')) {
    const [, title = '', last] = /^'((?:[^']|'')*)'(?:!A1:[A-Z]+(\d+))?$/.exec(range) ?? []
    const sheet = sheets.find((one) => one.title === title.replaceAll("''", "'"))
    if (sheet === undefined) return googleError(400, 'badRequest', `Unable to parse range: ${range}`)
    if (Number(last ?? 0) > Math.max(1000, sheet.rows.length))
      return googleError(400, 'badRequest', 'exceeds grid limits')
    const rows = sheet.rows.slice(0, last === undefined ? undefined : Number(last))
    valueRanges.push({ range, majorDimension: 'ROWS', ...(rows.length > 0 && { values: rows }) })
  }
  return { body: { valueRanges } }
}

export function presentationAnswer({ slides = [] }: EditorContent): GoogleReply {
  const text = (content: string) => ({
    textElements: [{ paragraphMarker: {} }, { textRun: { content: `${content}\n` } }],
  })
  const answer = slides.map((slide, index) => ({
    objectId: `p${index}`,
    pageElements: [
      { objectId: `t${index}`, shape: { placeholder: { type: 'TITLE' }, text: text(slide.title) } },
      {
        objectId: `g${index}`,
        elementGroup: { children: [{ objectId: `b${index}`, shape: { text: text(slide.text) } }] },
      },
    ],
    slideProperties: {
      notesPage: {
        notesProperties: { speakerNotesObjectId: `n${index}` },
        pageElements: slide.notes === undefined ? [] : [{ objectId: `n${index}`, shape: { text: text(slide.notes) } }],
      },
    },
  }))
  return { body: { slides: answer } }
}

/** As `files.export` gives it. */
export function exported({ tabs = [], sheets = [], slides = [] }: EditorContent): string {
  const lines = (tab: DocumentTab): string[] => [...tab.lines, ...(tab.children ?? []).flatMap(lines)]
  const csv = (sheets[0]?.rows ?? []).map((row) => row.map((cell) => `"${cell}"`).join(','))
  return [...tabs.flatMap(lines), ...csv, ...slides.flatMap(({ title, text }) => [title, text])].join('\n')
}
