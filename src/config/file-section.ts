import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar, visit } from 'yaml'
import { AppError } from '../domain/errors.ts'

/**
 * A part of config.yaml that somebody else understands. It is read when it is needed, so that what is wrong in it stops
 * those who need it and nobody else; it knows its lines, for messages.
 */
export interface FileSection {
  /** As plain values. @throws AppError `invalid` for a variable that is not set, and for an alias of nothing */
  read(): unknown
  /** The same, with that error in the place of the value, so that it stops only who needs the value. */
  readWithErrors(): unknown
  /** File and line of what lies below these keys, or of the nearest thing that is there. */
  where(path: readonly PropertyKey[]): string
}

interface Positions {
  /** Replaces `${VARIABLE}` in a scalar. */
  interpolate(value: string, where: string): string
  whereIs(offset: number | undefined): string
}

/** @param offset of the key that the section stands under */
export function fileSection(
  document: Document,
  node: Node,
  { offset, interpolate, whereIs }: Positions & { offset: number | undefined },
): FileSection {
  let content: { readonly value: unknown; readonly errors: readonly AppError[] } | undefined
  const readAll = () => {
    const errors: AppError[] = []
    visit(node, {
      Scalar: (key, scalar) => {
        if (typeof scalar.value !== 'string') return
        try {
          scalar.value = interpolate(scalar.value, whereIs(scalar.range?.[0]))
        } catch (error) {
          // Without its key, nobody knows what a value is.
          if (key === 'key' || !(error instanceof AppError)) throw error
          errors.push(error)
          scalar.value = error
        }
      },
      Alias: (_, alias) => {
        if (alias.resolve(document) !== undefined) return
        const where = whereIs(alias.range?.[0])
        const error = new AppError('invalid', `${where}: a text that begins with * has to be in quotes, as in "*.md"`)
        errors.push(error)
        return new Scalar(error)
      },
    })
    return { value: node.toJS(document) as unknown, errors }
  }
  return {
    read() {
      content ??= readAll()
      const [error] = content.errors
      if (error !== undefined) throw error
      return content.value
    },
    readWithErrors() {
      content ??= readAll()
      return content.value
    },
    where: (path) => whereIs(offsetOf(document, node, path) ?? offset),
  }
}

/** Where the deepest key or entry of a path begins; `undefined` when not even its first part is there. */
function offsetOf(document: Document, root: Node, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = root
  let offset: number | undefined
  for (const part of path) {
    const target = isAlias(node) ? node.resolve(document) : node
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      if (pair === undefined) return offset
      if (isScalar(pair.key)) offset = pair.key.range?.[0]
      node = pair.value
    } else if (isSeq(target) && typeof part === 'number') {
      node = target.items[part]
      if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return offset
      offset = node.range?.[0]
    } else return offset
  }
  return offset
}
