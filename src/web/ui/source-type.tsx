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

const KINDS: Readonly<Record<SourceType, { readonly title: string; readonly icon: ConnectorIcon }>> = {
  text: { title: 'Text', icon: 'file' },
  email: { title: 'Email', icon: 'mail' },
  pdf: { title: 'PDF', icon: 'file' },
  stream: { title: 'Stream', icon: 'radio' },
  browser: { title: 'Browser', icon: 'globe' },
  vscode: { title: 'VS Code', icon: 'code' },
  calendar: { title: 'Calendar', icon: 'calendar' },
  github: { title: 'GitHub', icon: 'pull-request' },
  slack: { title: 'Slack', icon: 'messages' },
  asana: { title: 'Asana', icon: 'check' },
  claude_code: { title: 'Claude Code', icon: 'bot' },
  cursor: { title: 'Cursor', icon: 'bot' },
  codex: { title: 'Codex', icon: 'bot' },
  google_meets: { title: 'Google Meet', icon: 'video' },
  technical_docs: { title: 'Technical docs', icon: 'folder' },
  weekly_updates: { title: 'Weekly updates', icon: 'notebook' },
  gdocs: { title: 'Google Docs', icon: 'file' },
  tasks: { title: 'Tasks', icon: 'list' },
  contacts: { title: 'Contacts', icon: 'contacts' },
  youtube: { title: 'YouTube', icon: 'video' },
  photos: { title: 'Photos', icon: 'image' },
  books: { title: 'Books', icon: 'book' },
  fit: { title: 'Health', icon: 'heart' },
  'ms-outlook': { title: 'Outlook', icon: 'mail' },
  'ms-calendar': { title: 'Outlook Calendar', icon: 'calendar' },
  'ms-teams': { title: 'Teams', icon: 'people' },
  'ms-onedrive': { title: 'OneDrive', icon: 'cloud' },
  'ms-sharepoint': { title: 'SharePoint', icon: 'cloud' },
}

/** Every source type, in the order of the specification. */
export const SOURCE_TYPES: readonly string[] = Object.keys(KINDS)

/** `Google Meet` for `google_meets`. */
export function sourceTitle(sourceType: string): string {
  return kindOf(sourceType)?.title ?? sourceType
}

interface SourceIconProps {
  readonly sourceType: string
  readonly className?: string
}

export function SourceIcon({ sourceType, className = 'size-4' }: SourceIconProps) {
  return <NamedIcon name={kindOf(sourceType)?.icon ?? 'app'} className={className} />
}

/** One of the icons that connectors choose from. */
export function NamedIcon({ name, className }: { readonly name: ConnectorIcon; readonly className: string }) {
  const Icon = ICONS[name]
  return <Icon className={className} aria-hidden />
}

function kindOf(sourceType: string) {
  return Object.hasOwn(KINDS, sourceType) ? KINDS[sourceType as SourceType] : undefined
}
