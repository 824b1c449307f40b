import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { AlertsOverview, AlertTests } from '../../../domain/alerts.ts'
import type { EditList } from '../../../domain/change-results.ts'
import type { ActivityActors, ActivityPage, activityQuery } from './activity.ts'
import type { AccessDecision, AccessRequest, AgentList, ConnectedAgent, RequestEnd } from './agents.ts'
import type { Anniversaries, anniversaryQuery, DayList, daysQuery } from './days.ts'
import type { GoldenQuestionReference, NewGoldenQuestion } from './golden.ts'
import type { BeginRequest, completeRequest, DeviceRequest, Grants, PendingGrant, RevokeAnswer } from './grants.ts'
import type { BegunImport, ImportedFile, ImportRequest, importPiece } from './imports.ts'
import type { ApiKey, KeyList, NewKey, ShownKey } from './keys.ts'
import type {
  ConnectorCounts,
  chunkPage,
  ForgetReceipt,
  ForgottenItems,
  ItemChunks,
  ItemFacts,
  ItemMemories,
  ItemReference,
  itemPage,
  LibraryList,
  libraryQuery,
  QueuedItems,
  TagCounts,
  TaggedItems,
  UploadedItem,
} from './library.ts'
import type { EditItem, editPage, editText, UndoneEdits } from './memory-edits.ts'
import type { AccountList, NewInvitation, newAccount, PeopleList, PersonChange, ShownLink } from './people.ts'
import type { mergeRequest, NameDecisionList, NameDecisionResult, UndoneDecision } from './person-names.ts'
import type { AskAnswer, askQuestion, Overview, RecallAnswer, RecallQuestion } from './recall.ts'
import type {
  accountSwitch,
  LinkInfo,
  LinkUse,
  linkCheck,
  nameChange,
  passwordChange,
  passwordSignIn,
  Security,
  Session,
} from './session.ts'
import type {
  accountChange,
  accountDeletion,
  BackupReady,
  DeletedAccount,
  DeletionBegun,
  EmbeddedVectors,
  EmbeddingModelChoice,
  EmbeddingModelTrial,
  LanguageModelChoice,
  localModelChoice,
  ModelsOverview,
  ModelTrial,
  ModelTrials,
  RerankerChoice,
  RerankerTrial,
  ServerOverview,
} from './settings.ts'
import type {
  Attention,
  ChangeRequest,
  CheckAnswer,
  Choices,
  ConnectAnswer,
  Connection,
  ConnectionDetail,
  ConnectRequest,
  FieldList,
  Preview,
  PreviewRequest,
  RemoveAnswer,
  RetryAnswer,
  removeQuery,
  retryRequest,
  Sources,
  syncRequest,
} from './sources.ts'
import type { Profile, SubjectList, SubjectPage, subjectListQuery } from './subjects.ts'
import type { Billing, BillingChange, UsageReport, usageQuery } from './usage.ts'

/**
 * The JSON routes below /app/api: the `query` and `body` of each, and its `answer` (`undefined`: no body). Both the
 * service's routes and the web app's calls use it. Types only, so that no schema gets into the browser.
 */
export interface AppRoutes {
  'GET /session': { answer: Session }
  'DELETE /session': { answer: unknown }
  'PUT /session/account': { body: z.input<typeof accountSwitch>; answer: unknown }
  'POST /sign-in/password': { body: z.input<typeof passwordSignIn>; answer: Session }
  'POST /sign-in/link/check': { body: z.input<typeof linkCheck>; answer: LinkInfo }
  'POST /sign-in/link': { body: LinkUse; answer: Session }
  'POST /sign-in/passkey/options': { answer: PublicKeyCredentialRequestOptionsJSON }
  'POST /sign-in/passkey': { body: { response: AuthenticationResponseJSON }; answer: Session }

  'GET /security': { answer: Security }
  'PATCH /security/person': { body: z.input<typeof nameChange>; answer: undefined }
  'PUT /security/password': { body: z.input<typeof passwordChange>; answer: undefined }
  'POST /security/sessions/end-others': { answer: { ended: number } }
  'DELETE /security/sessions/:id': { answer: undefined }
  'POST /security/passkeys/options': { answer: PublicKeyCredentialCreationOptionsJSON }
  'POST /security/passkeys': { body: { name: string; response: RegistrationResponseJSON }; answer: undefined }
  'DELETE /security/passkeys/:id': { answer: undefined }

  'GET /keys': { answer: KeyList }
  'POST /keys': { body: NewKey; answer: ShownKey }
  'POST /keys/:id/regenerate': { answer: ShownKey }
  'DELETE /keys/:id': { answer: ApiKey }

  'GET /agents': { answer: AgentList }
  'DELETE /agents/:id': { answer: ConnectedAgent }
  'GET /agents/requests/:id': { answer: AccessRequest }
  'POST /agents/requests/:id/allow': { body: AccessDecision; answer: RequestEnd }
  'POST /agents/requests/:id/deny': { answer: RequestEnd }

  'GET /usage': { query: z.input<typeof usageQuery>; answer: UsageReport }
  'GET /billing': { answer: Billing }
  'PUT /billing': { body: BillingChange; answer: Billing }

  'GET /people': { answer: PeopleList }
  'PATCH /people/:id': { body: PersonChange; answer: undefined }
  'DELETE /people/:id': { answer: undefined }
  'POST /people/:id/reset-link': { answer: ShownLink }
  'POST /people/invitations': { body: NewInvitation; answer: ShownLink }
  'DELETE /people/invitations/:id': { answer: undefined }
  'GET /accounts': { answer: AccountList }
  'POST /accounts': { body: z.input<typeof newAccount>; answer: { id: string } }

  'PATCH /account': { body: z.input<typeof accountChange>; answer: undefined }
  'DELETE /account': { body: z.input<typeof accountDeletion>; answer: DeletedAccount | DeletionBegun }
  'GET /models': { answer: ModelsOverview }
  'POST /models/test': { answer: ModelTrials }
  'PUT /models/language': { body: LanguageModelChoice; answer: ModelTrial }
  'DELETE /models/language': { answer: undefined }
  'POST /models/embedding/test': { body: EmbeddingModelChoice; answer: EmbeddingModelTrial }
  'GET /models/embedding/vectors': { answer: EmbeddedVectors }
  'PUT /models/embedding': { body: EmbeddingModelChoice; answer: EmbeddingModelTrial }
  'DELETE /models/embedding': { answer: undefined }
  'PUT /models/reranker': { body: RerankerChoice; answer: RerankerTrial }
  'POST /models/local': { body: z.input<typeof localModelChoice>; answer: undefined }
  'DELETE /models/local/:name': { answer: undefined }
  'DELETE /models/local/:name/offer': { answer: undefined }
  'GET /server': { answer: ServerOverview }
  'POST /backup': { answer: BackupReady }

  'POST /recall': { body: RecallQuestion; answer: RecallAnswer }
  'POST /ask': { body: z.input<typeof askQuestion>; answer: AskAnswer }
  'GET /overview': { answer: Overview }
  'GET /days': { query: z.input<typeof daysQuery>; answer: DayList }
  'GET /days/anniversaries': { query: z.input<typeof anniversaryQuery>; answer: Anniversaries }
  'GET /profile': { answer: Profile }
  'POST /golden': { body: NewGoldenQuestion; answer: GoldenQuestionReference }
  'DELETE /golden/:number': { answer: undefined }
  'GET /person-names': { answer: NameDecisionList }
  'PUT /person-names/:name/merge': { body: z.input<typeof mergeRequest>; answer: NameDecisionResult }
  'PUT /person-names/:name/split': { answer: NameDecisionResult }
  'DELETE /person-names/:name': { answer: UndoneDecision }
  'GET /subjects/:kind': { query: z.input<typeof subjectListQuery>; answer: SubjectList }
  'GET /subjects/:kind/:name': { answer: SubjectPage }
  'GET /activity': { query: z.input<typeof activityQuery>; answer: ActivityPage }
  'GET /activity/actors': { answer: ActivityActors }

  'GET /library': { query: z.input<typeof libraryQuery>; answer: LibraryList }
  /** The address of a page can name any source; the service checks it. */
  'POST /library/reprocess': { body: { items: Record<keyof ItemReference, string>[] }; answer: QueuedItems }
  'GET /library/tags': { answer: TagCounts }
  'GET /library/connectors': { answer: ConnectorCounts }
  'POST /library/tags': {
    body: { items: Record<keyof ItemReference, string>[]; add?: string[]; remove?: string[] }
    answer: TaggedItems
  }
  'POST /library/forget': { body: { items: Record<keyof ItemReference, string>[] }; answer: ForgottenItems }
  'POST /library/retry-failed': { answer: QueuedItems }
  'POST /library/upload': { answer: UploadedItem }
  'GET /library/:source/:item_id': { answer: ItemFacts }
  'GET /library/:source/:item_id/memories': { query: z.input<typeof itemPage>; answer: ItemMemories }
  'GET /library/:source/:item_id/chunks': { query: z.input<typeof chunkPage>; answer: ItemChunks }
  'POST /library/:source/:item_id/reprocess': { answer: QueuedItems }
  'DELETE /library/:source/:item_id': { answer: ForgetReceipt }

  'PUT /memories/:source/:custom_id/correction': { body: z.input<typeof editText>; answer: EditItem }
  'DELETE /memories/:source/:custom_id/correction': { answer: UndoneEdits }
  'POST /memories/:source/:custom_id/notes': { body: z.input<typeof editText>; answer: EditItem }
  'DELETE /memories/:source/:custom_id/notes': { answer: UndoneEdits }
  'PUT /memories/:source/:custom_id/pin': { answer: undefined }
  'DELETE /memories/:source/:custom_id/pin': { answer: UndoneEdits }
  'PUT /memories/:source/:custom_id/hide': { answer: undefined }
  'DELETE /memories/:source/:custom_id/hide': { answer: UndoneEdits }
  'POST /warm-up': { answer: undefined }

  'GET /edits': { query: z.input<typeof editPage>; answer: EditList }
  'DELETE /edits/:id': { answer: UndoneEdits }

  'GET /sources': { answer: Sources }
  'GET /sources/attention': { answer: Attention }
  'POST /sources': { body: ConnectRequest; answer: ConnectAnswer }
  'POST /sources/check': { body: ConnectRequest; answer: CheckAnswer }
  'GET /sources/:connector/:name': { answer: ConnectionDetail }
  'PATCH /sources/:connector/:name': { body: ChangeRequest; answer: Connection }
  'DELETE /sources/:connector/:name': { query: z.input<typeof removeQuery>; answer: RemoveAnswer }
  'POST /sources/:connector/:name/preview': { body: PreviewRequest; answer: Preview }
  'POST /sources/:connector/:name/choices': { body: PreviewRequest; answer: Choices }
  'POST /imports': { body: ImportRequest; answer: BegunImport }
  'PUT /imports/:id': { query: z.input<typeof importPiece>; answer: undefined }
  'POST /imports/:id/complete': { body: ImportRequest; answer: ImportedFile }
  'DELETE /imports/:id': { answer: undefined }
  'POST /sources/:connector/:name/sync': { body: z.input<typeof syncRequest>; answer: undefined }
  'POST /sources/:connector/:name/stop': { answer: undefined }
  'POST /sources/:connector/:name/retry': { body: z.input<typeof retryRequest>; answer: RetryAnswer }
  'GET /alerts': { answer: AlertsOverview }
  'POST /alerts/test': { answer: AlertTests }
  'GET /connectors/:id/fields': { answer: FieldList }
  'POST /connectors/:id/preview': { body: PreviewRequest; answer: Preview }
  'POST /connectors/:id/choices': { body: PreviewRequest; answer: Choices }

  'GET /grants': { answer: Grants }
  'POST /grants/begin': { body: BeginRequest; answer: PendingGrant }
  'POST /grants/device': { body: DeviceRequest; answer: PendingGrant }
  'POST /grants/complete': { body: z.input<typeof completeRequest>; answer: PendingGrant }
  'GET /grants/pending/:id': { answer: PendingGrant }
  'DELETE /grants/pending/:id': { answer: undefined }
  'DELETE /grants/:id': { answer: RevokeAnswer }
}

/** `GET /keys`: method and path below /app/api. */
export type AppRoute = keyof AppRoutes
export type AnswerOf<Route extends AppRoute> = AppRoutes[Route]['answer']

/** Names of the parameters in a path: `id` of `/keys/:id`. */
export type PathParameter<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never
