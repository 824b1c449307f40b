import {
  AppWindow,
  BookOpen,
  BotMessageSquare,
  CalendarDays,
  CircleCheckBig,
  Cloud,
  Code,
  ContactRound,
  FileText,
  Folder,
  GitPullRequest,
  Globe,
  HeartPulse,
  Image,
  ListTodo,
  type LucideIcon,
  Mail,
  MessagesSquare,
  NotebookText,
  Radio,
  Users,
  Video,
} from 'lucide-react'
import type { ConnectorIcon, SourceType } from '../../http/app/schemas/sources.ts'
import { uiMessages } from './messages.ts'

const ICONS: Readonly<Record<ConnectorIcon, LucideIcon>> = {
  app: AppWindow,
  book: BookOpen,
  bot: BotMessageSquare,
  calendar: CalendarDays,
  check: CircleCheckBig,
  cloud: Cloud,
  code: Code,
  contacts: ContactRound,
  file: FileText,
  folder: Folder,
  globe: Globe,
  heart: HeartPulse,
  image: Image,
  list: ListTodo,
  mail: Mail,
  messages: MessagesSquare,
  notebook: NotebookText,
  people: Users,
  'pull-request': GitPullRequest,
  radio: Radio,
  video: Video,
}

const KIND_ICONS: Readonly<Record<SourceType, ConnectorIcon>> = {
  text: 'file',
  email: 'mail',
  pdf: 'file',
  stream: 'radio',
  browser: 'globe',
  vscode: 'code',
  calendar: 'calendar',
  github: 'pull-request',
  slack: 'messages',
  asana: 'check',
  claude_code: 'bot',
  cursor: 'bot',
  codex: 'bot',
  google_meets: 'video',
  technical_docs: 'folder',
  weekly_updates: 'notebook',
  gdocs: 'file',
  tasks: 'list',
  contacts: 'contacts',
  youtube: 'video',
  photos: 'image',
  books: 'book',
  fit: 'heart',
  'ms-outlook': 'mail',
  'ms-calendar': 'calendar',
  'ms-teams': 'people',
  'ms-onedrive': 'cloud',
  'ms-sharepoint': 'cloud',
}

/** Every source type, in the order of the specification. */
export const SOURCE_TYPES: readonly string[] = Object.keys(KIND_ICONS)

/** `Google Meet` for `google_meets`. */
export function sourceTitle(sourceType: string): string {
  return isSourceType(sourceType) ? uiMessages.sourceTypes[sourceType] : sourceType
}

interface SourceIconProps {
  readonly sourceType: string
  readonly className?: string
}

export function SourceIcon({ sourceType, className = 'size-4' }: SourceIconProps) {
  return <NamedIcon name={isSourceType(sourceType) ? KIND_ICONS[sourceType] : 'app'} className={className} />
}

/** One of the icons that connectors choose from. */
export function NamedIcon({ name, className }: { readonly name: ConnectorIcon; readonly className: string }) {
  const Icon = ICONS[name]
  return <Icon className={className} aria-hidden />
}

function isSourceType(sourceType: string): sourceType is SourceType {
  return Object.hasOwn(KIND_ICONS, sourceType)
}
