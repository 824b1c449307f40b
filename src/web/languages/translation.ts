/** Messages of another language have the same names and parameters as the English ones. */
type Translated<Messages> = Messages extends string
  ? string
  : Messages extends (...values: infer Values) => infer Text
    ? (...values: Values) => Translated<Text>
    : { readonly [Name in keyof Messages]: Translated<Messages[Name]> }

/** All messages of the app in one language, by area. */
export interface Translation {
  readonly ui: Translated<typeof import('../ui/messages.ts').uiMessages>
  readonly activity: Translated<typeof import('../pages/activity/messages.ts').messages>
  readonly activitySentences: Translated<typeof import('../pages/activity/sentences.ts').sentences>
  readonly connectAgent: Translated<typeof import('../pages/connect-agent/messages.ts').messages>
  readonly days: Translated<typeof import('../pages/days/messages.ts').messages>
  readonly exports: Translated<typeof import('../pages/sources/export-messages.ts').exportMessages>
  readonly keys: Translated<typeof import('../pages/keys/messages.ts').messages>
  readonly library: Translated<typeof import('../pages/library/messages.ts').messages>
  readonly memoryEdits: Translated<typeof import('../pages/memory-edits/messages.ts').messages>
  readonly people: Translated<typeof import('../pages/people/messages.ts').messages>
  readonly reading: Translated<typeof import('../pages/reading/messages.ts').messages>
  readonly recall: Translated<typeof import('../pages/recall/messages.ts').messages>
  readonly serviceProblems: Translated<typeof import('../../domain/service-problems.ts').SERVICE_PROBLEMS>
  readonly settings: Translated<typeof import('../pages/settings/messages.ts').messages>
  readonly signIn: Translated<typeof import('../pages/sign-in/messages.ts').messages>
  readonly sourceProblems: Translated<typeof import('../../domain/source-problems.ts').SOURCE_PROBLEMS>
  readonly sources: Translated<typeof import('../pages/sources/messages.ts').messages>
  readonly start: Translated<typeof import('../pages/recall/start-messages.ts').startMessages>
  readonly usage: Translated<typeof import('../pages/usage/messages.ts').messages>
}
