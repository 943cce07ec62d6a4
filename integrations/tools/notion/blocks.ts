/**
 * Reads the blocks of a page as Markdown, nested and page by page, within bounds of depth, blocks and requests; reports if
 * something was left out. For an unknown kind of block, uses its text, if any. Must not write. Called by look.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanText } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { type Api, getBlocks } from './api.ts'
import { NOTION_TEXT } from './manifest.ts'
import { idIn } from './names.ts'
import { plainOf } from './shape.ts'

/** Maximum nesting depth; deeper blocks are left out. */
export const MAX_DEPTH = 5
export const MAX_BLOCKS = 500
/** Maximum number of requests for one page: Notion accepts about three a second, and a call ends after thirty seconds. */
export const MAX_REQUESTS = 25
const PAGE_SIZE = 100

interface Reading {
  readonly api: Api
  readonly lines: string[]
  blocks: number
  requests: number
  units: number
  /** Whether something was left out for lack of room, or because it is nested too deeply. */
  isCut: boolean
  noRoom: boolean
}

export interface Markdown {
  readonly body: string
  readonly truncated: boolean
  /** Place of the next part; absent if the page was read to its end, or the place is unknown. */
  readonly next?: string
}

/** A cursor of Notion's and the number of blocks before the place: `3:cursor`, and `3:` on the first page. */
const PLACE = /^(\d{1,3}):([\x21-\x7e]{0,240})$/

/** `from`: the place that an earlier part returned. Refusals: those of the calls; tool_arguments_invalid for an invalid place. */
export async function markdownOf(api: Api, id: string, from?: unknown): Promise<Result<Markdown>> {
  const [place, before = '0', cursor = ''] = PLACE.exec(typeof from === 'string' ? from : '0:') ?? []
  if (place === undefined) return err('tool_arguments_invalid', { rule: 'from' })
  const reading: Reading = { api, lines: [], blocks: 0, requests: 0, units: 0, isCut: false, noRoom: false }
  const read = await readPage(reading, id, { cursor: cursor === '' ? null : cursor, before: Number(before) })
  if (!read.ok) return read
  const text = reading.lines.join('\n')
  const truncated = reading.isCut || text.length > NOTION_TEXT.body
  return ok({ body: indented(text), truncated, ...(read.value !== null && { next: read.value }) })
}

interface Place {
  /** Null for the first page. */
  readonly cursor: string | null
  readonly before: number
}

/**
 * The blocks of a page, each with its children, up to the first block without room. A block longer than a part is cut. Returns
 * the place of the next part; null if that was all, or Notion names no next page.
 */
async function readPage(
  reading: Reading,
  id: string,
  { cursor, before }: Place,
): Promise<Result<string | null>> {
  let from = cursor
  let skipped = before
  let number = 0
  let isFirst = true
  do {
    if (reading.requests >= MAX_REQUESTS) return ok(cutAt(reading, from, skipped))
    reading.requests += 1
    const page = await getBlocks(reading.api, id, PAGE_SIZE, from)
    if (!page.ok) return page
    for (const [at, block] of page.value.rows.entries()) {
      number = stringOf(block, 'type') === 'numbered_list_item' ? number + 1 : 0
      if (at < skipped) continue
      if (isFull(reading)) return ok(cutAt(reading, from, at))
      const lines = reading.lines.length
      reading.noRoom = false
      const read = await readBlock(reading, block, TOP, number)
      if (!read.ok) return read
      const isWhole = !reading.noRoom && reading.units <= NOTION_TEXT.body
      if (!isWhole && !isFirst) {
        reading.lines.length = lines
        return ok(cutAt(reading, from, at))
      }
      isFirst = false
    }
    if (page.value.more && page.value.next === null) reading.isCut = true
    from = page.value.next
    skipped = 0
  } while (from !== null)
  return ok(null)
}

const TOP: Level = { depth: 0, indent: '' }

function cutAt(reading: Reading, cursor: string | null, before: number): string {
  reading.isCut = true
  return `${before}:${cursor ?? ''}`
}

/** Cleaning removes leading spaces; here they show the nesting. */
function indented(text: string): string {
  const lines = text
    .slice(0, NOTION_TEXT.body)
    .split('\n')
    .map((line) => (/^ */.exec(line)?.[0] ?? '') + cleanText(line, NOTION_TEXT.body))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, NOTION_TEXT.body)
}

interface Level {
  readonly depth: number
  readonly indent: string
}

async function readUnder(reading: Reading, id: string, level: Level): Promise<Result<true>> {
  let from: string | null = null
  let number = 0
  do {
    if (reading.requests >= MAX_REQUESTS || isFull(reading)) return outOfRoom(reading)
    reading.requests += 1
    const page = await getBlocks(reading.api, id, PAGE_SIZE, from)
    if (!page.ok) return page
    for (const block of page.value.rows) {
      number = stringOf(block, 'type') === 'numbered_list_item' ? number + 1 : 0
      const read = await readBlock(reading, block, level, number)
      if (!read.ok) return read
    }
    from = page.value.next
  } while (from !== null)
  return ok(true)
}

function outOfRoom(reading: Reading): Result<true> {
  reading.isCut = true
  reading.noRoom = true
  return ok(true)
}

function isFull({ blocks, units }: Reading): boolean {
  return blocks >= MAX_BLOCKS || units > NOTION_TEXT.body
}

/** Blocks without a line of their own: their children appear in their place. */
const CLEAR: ReadonlySet<string> = new Set(['column_list', 'column', 'synced_block', 'table'])
/** Separate pages: only their titles are part of this one. */
const APART: ReadonlySet<string> = new Set(['child_page', 'child_database'])

async function readBlock(
  reading: Reading,
  block: JsonRecord,
  { depth, indent }: Level,
  number: number,
): Promise<Result<true>> {
  if (isFull(reading)) return outOfRoom(reading)
  reading.blocks += 1
  const type = stringOf(block, 'type')
  const line = CLEAR.has(type) ? null : lineOf(type, recordOf(block, type), number)
  if (line !== null) {
    const lines = line.split('\n').map((one) => indent + one)
    reading.lines.push(...lines)
    reading.units += line.length + lines.length * (indent.length + 1)
  }
  if (fieldOf(block, 'has_children') !== true || APART.has(type)) return ok(true)
  const id = idIn(stringOf(block, 'id'))
  if (id === null || depth >= MAX_DEPTH) {
    reading.isCut = true
    return ok(true)
  }
  const under = CLEAR.has(type) ? indent : `${indent}  `
  return readUnder(reading, id, { depth: depth + 1, indent: under })
}

const MARKS: Readonly<Record<string, string>> = Object.freeze({
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  heading_4: '#### ',
  bulleted_list_item: '- ',
  toggle: '- ',
  quote: '> ',
  callout: '> ',
})

/** Null for a block without text. */
function lineOf(type: string, inner: JsonRecord, number: number): string | null {
  const text = plainOf(inner, 'rich_text')
  if (Object.hasOwn(MARKS, type)) return (MARKS[type] ?? '') + text
  switch (type) {
    case 'numbered_list_item':
      return `${number}. ${text}`
    case 'to_do':
      return `- [${fieldOf(inner, 'checked') === true ? 'x' : ' '}] ${text}`
    case 'code':
      return `\`\`\`\n${text}\n\`\`\``
    case 'divider':
      return '---'
    case 'equation':
      return stringOf(inner, 'expression') || null
    case 'child_page':
      return `[page] ${stringOf(inner, 'title')}`
    case 'child_database':
      return `[database] ${stringOf(inner, 'title')}`
    case 'table_row':
      return rowOf(inner)
    default:
      return mediaOf(type, inner, text)
  }
}

/** Cells are rich texts. */
function rowOf(inner: JsonRecord): string {
  const cells = fieldOf(inner, 'cells')
  const texts = (Array.isArray(cells) ? cells : []).map((cell: unknown) => plainOf({ cell }, 'cell'))
  return `| ${texts.join(' | ')} |`
}

/** Files and links are shown by their captions: their addresses are signed for one hour and say nothing. */
function mediaOf(type: string, inner: JsonRecord, text: string): string | null {
  if (text !== '') return text
  if (recordsOf(inner, 'rich_text').length > 0 || type === 'paragraph') return ''
  const caption = plainOf(inner, 'caption') || stringOf(inner, 'name')
  const isMedia = ['image', 'video', 'audio', 'file', 'pdf', 'bookmark', 'embed', 'link_preview'].includes(
    type,
  )
  if (isMedia) return `[${type.replace('_', ' ')}]${caption === '' ? '' : ` ${caption}`}`
  return caption === '' ? null : caption
}
