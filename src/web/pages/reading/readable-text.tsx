import { Fragment, type ReactNode, useMemo } from 'react'
import { type InlineRun, inlineRuns } from '../../../lib/markup/inline-runs.ts'
import { outsideLink } from '../../../lib/markup/openable-address.ts'
import { type TextBlock, textBlocks } from '../../../lib/markup/text-blocks.ts'
import { type Flow, joinLines, textLines } from '../../../lib/markup/text-flow.ts'
import { classNames } from '../../ui/class-names.ts'
import { uiMessages } from '../../ui/messages.ts'
import type { Spans } from '../../ui/source-text.tsx'
import { MarkedWords } from './marked-words.tsx'

interface ReadableTextProps {
  readonly text: string
  /** Marked ranges of the text. */
  readonly spans?: Spans | undefined
  /** It continues a code block that the text before it began. */
  readonly isInCode?: boolean
  /** What a program printed: shown as it is, line by line. */
  readonly isOutput?: boolean
}

/** Renders text of a source: Markdown as headings, lists, tables and code, paragraphs unwrapped. */
export function ReadableText({ text, spans = [], isInCode = false, isOutput = false }: ReadableTextProps) {
  const blocks = useMemo(
    () => (isOutput ? [outputBlock(text)] : textBlocks(text, isInCode)),
    [text, isInCode, isOutput],
  )
  return <Blocks blocks={blocks} spans={spans} />
}

function outputBlock(text: string): TextBlock {
  return { type: 'code', words: joinLines(textLines(text), () => '\n') }
}

function Blocks({ blocks, spans }: { readonly blocks: readonly TextBlock[]; readonly spans: Spans }) {
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">
      {groups(blocks).map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never move
        <Fragment key={index}>
          {group[0]?.type === 'item' ? <List items={group} spans={spans} /> : <Block block={group[0]!} spans={spans} />}
        </Fragment>
      ))}
    </div>
  )
}

/** Items that follow each other are one list. */
function groups(blocks: readonly TextBlock[]): TextBlock[][] {
  const found: TextBlock[][] = []
  for (const block of blocks) {
    const last = found.at(-1)
    if (block.type === 'item' && last?.[0]?.type === 'item') last.push(block)
    else found.push([block])
  }
  return found
}

const HEADING_SIZES = ['text-[1.0625rem]', 'text-base', 'text-[0.9375rem]']

function Block({ block, spans }: { readonly block: TextBlock; readonly spans: Spans }) {
  switch (block.type) {
    case 'heading':
      return (
        <h3 dir="auto" className={classNames('mt-1 font-semibold', HEADING_SIZES[block.level - 1] ?? 'text-sm')}>
          <Words words={block.words} spans={spans} />
        </h3>
      )
    case 'code':
      return (
        <pre dir="auto" className="bg-raised rounded-lg px-3 py-2 font-mono text-[0.8125rem] whitespace-pre-wrap">
          <MarkedWords words={block.words} run={{ start: 0, end: block.words.text.length }} spans={spans} />
        </pre>
      )
    case 'table':
      return <Table block={block} spans={spans} />
    case 'quote':
      return (
        <blockquote className="border-edge text-soft border-s-2 ps-3">
          <Blocks blocks={block.blocks} spans={spans} />
        </blockquote>
      )
    case 'rule':
      return <hr className="border-line my-1" />
    default:
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          <Words words={block.words} spans={spans} />
        </p>
      )
  }
}

const INDENTS = ['', 'ms-5', 'ms-10', 'ms-14', 'ms-18']

function List({ items, spans }: { readonly items: readonly TextBlock[]; readonly spans: Spans }) {
  return (
    <ul className="flex flex-col gap-1">
      {items.map(
        (item, index) =>
          item.type === 'item' && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text never move
            <li key={index} dir="auto" className={classNames('flex gap-2', INDENTS[item.depth])}>
              <span aria-hidden={item.mark === '•' || item.mark === ''} className="text-soft min-w-4 shrink-0 text-end">
                {item.mark}
              </span>
              <span className="min-w-0 whitespace-pre-wrap">
                <Words words={item.words} spans={spans} />
              </span>
            </li>
          ),
      )}
    </ul>
  )
}

function Table({
  block: { rows, hasHead },
  spans,
}: {
  readonly block: Extract<TextBlock, { type: 'table' }>
  readonly spans: Spans
}) {
  return (
    <table className="w-fit max-w-full border-collapse text-[0.8125rem]">
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a text never move
          <tr key={index} className="border-line border-b last:border-b-0">
            {row.map((words, column) => {
              const isHead = hasHead && index === 0
              const Cell = isHead ? 'th' : 'td'
              return (
                <Cell
                  // biome-ignore lint/suspicious/noArrayIndexKey: nor do its cells
                  key={column}
                  dir="auto"
                  className={classNames('py-1 pe-4 text-start align-top', isHead && 'font-semibold')}
                >
                  <Words words={words} spans={spans} />
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Words({ words, spans }: { readonly words: Flow; readonly spans: Spans }) {
  return inlineRuns(words.text).map((run) => (
    <Run key={run.start} run={run}>
      <MarkedWords words={words} run={run} spans={spans} />
    </Run>
  ))
}

function Run({ run, children }: { readonly run: InlineRun; readonly children: ReactNode }) {
  let shown = children
  if (run.isCode) shown = <code className="bg-raised rounded-sm px-1 font-mono text-[0.875em]">{shown}</code>
  if (run.isStruck) shown = <s>{shown}</s>
  if (run.isEmphasized) shown = <em>{shown}</em>
  if (run.isStrong) shown = <strong className="font-semibold">{shown}</strong>
  return run.href === undefined ? (
    shown
  ) : (
    <Link href={run.href} hasLabel={run.isLabelEnd}>
      {shown}
    </Link>
  )
}

/** A link of a source that shows where it leads, because others wrote its words. */
function Link({
  href,
  hasLabel = false,
  children,
}: {
  readonly href: string
  readonly hasLabel?: boolean | undefined
  readonly children: ReactNode
}) {
  const host = new URL(href).host
  return (
    <>
      <a {...outsideLink(href)} className="text-accent underline underline-offset-2">
        {children}
        <span className="sr-only"> {uiMessages.inNewTab}</span>
      </a>
      {hasLabel && host !== '' && <span className="text-soft text-[0.8125em]"> ({host})</span>}
    </>
  )
}
