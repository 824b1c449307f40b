import type { CallOptions, EditableMemory, TaggableMemory } from '../domain/memory.ts'
import type { NamingMemory } from '../domain/name-decision.ts'
import type { KnowingMemory } from '../domain/profile.ts'
import type { Principal } from './principal.ts'
import type { Service } from './service.ts'

/**
 * The service for one key: the `Memory` that MCP and connectors in this process use.
 * @param principal the caller, or a function called before each request, so that key changes take effect at once
 */
export function bindMemory(
  service: Service,
  principal: Principal | (() => Promise<Principal>),
): EditableMemory & KnowingMemory & NamingMemory & TaggableMemory {
  const who = async () => (typeof principal === 'function' ? principal() : principal)
  const fencedBy = async <Result extends object>(asker: Principal, work: (asker: Principal) => Promise<Result>) => {
    const fence = service.fenceId(asker)
    return { ...(await work(asker)), ...(fence !== undefined && { fence }) }
  }
  return {
    memorize: async (upload) => service.memorize(await who(), upload),
    recall: (query, options) =>
      heeding(options, async () => fencedBy(await who(), (asker) => service.recall(asker, query, options))),
    ask: (question, options) =>
      heeding(options, async () => fencedBy(await who(), (asker) => service.ask(asker, question, options))),
    recent: (query, options) =>
      heeding(options, async () => fencedBy(await who(), (asker) => service.recent(asker, query, options))),
    open: (query, options) =>
      heeding(options, async () => fencedBy(await who(), (asker) => service.open(asker, query))),
    list: async (query) => service.list(await who(), query),
    download: async (ref) => fencedBy(await who(), (asker) => service.download(asker, ref)),
    forget: async (ref) => service.forget(await who(), ref),
    correct: async (edit) => service.edits.correct(await who(), edit),
    undoCorrection: async (memory) => service.edits.undoCorrection(await who(), memory),
    note: async (edit) => service.edits.note(await who(), edit),
    undoNote: async (memory) => service.edits.undoNote(await who(), memory),
    mark: async (mark, memory) => service.edits.mark(await who(), mark, memory),
    unmark: async (mark, memory) => service.edits.unmark(await who(), mark, memory),
    edits: async (query) => service.editList.list(await who(), query),
    undoEdit: async (id) => service.editList.undo(await who(), id),
    tags: async (ref) => service.tags.read(await who(), ref),
    tag: async (change) => service.tags.change(await who(), change),
    nameDecisions: async () => service.names.nameDecisions(await who()),
    mergeNames: async (names) => service.names.mergeNames(await who(), names),
    splitName: async (name) => service.names.splitName(await who(), name),
    undoNameDecision: async (name) => service.names.undoNameDecision(await who(), name),
    profile: async () => fencedBy(await who(), (asker) => service.profile.profile(asker)),
    subjects: async (query) => service.profile.subjects(await who(), query),
    subject: async (query) => fencedBy(await who(), (asker) => service.profile.subject(asker, query)),
  }
}

/** Rejects with the signal's reason as soon as it is aborted, whatever the work is waiting for. */
async function heeding<Result>({ signal }: CallOptions = {}, work: () => Promise<Result>): Promise<Result> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
