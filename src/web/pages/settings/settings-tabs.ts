import { messages } from './messages.ts'

/** The parts of the settings, in the order of their tabs. */
export const SETTINGS_TABS = [
  { id: 'account', path: '/settings', title: messages.tabAccount },
  { id: 'people', path: '/settings/people', title: messages.tabPeople },
  { id: 'security', path: '/settings/security', title: messages.tabSecurity },
  { id: 'keys', path: '/settings/keys', title: messages.tabKeys },
  { id: 'usage', path: '/settings/usage', title: messages.tabUsage },
  { id: 'activity', path: '/settings/activity', title: messages.tabActivity },
  { id: 'models', path: '/settings/models', title: messages.tabModels },
  { id: 'server', path: '/settings/server', title: messages.tabServer },
] as const

export type SettingsTab = (typeof SETTINGS_TABS)[number]['id']
