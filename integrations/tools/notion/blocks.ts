/**
 * Reads the blocks of a page as Markdown, nested and page by page, up to bounds of depth, blocks and requests; says when something was left out. A kind
 * of block that is not known gives its words, if it has any. Must not write. Called by look.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanText } from '../../extractors/page-clean.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { type Api, getBlocks } from './api.ts'
import { NOTION_TEXT } from './manifest.ts'
import { idIn } from './names.ts'
import { plainOf } from './shape.ts'

/** Lists within lists; deeper ones are left out. */
export const MAX_DEPTH = 5
export const MAX_BLOCKS = 500
/** Requests for one page: Notion takes about three a second, and a call ends after thirty seconds. */
export const MAX_REQUESTS = 25
const PAGE_SIZE = 100

interface Reading {
  readonly api: Api
  readonly lines: string[]
  blocks: number
  requests: number
  units: number
  /** Something was left out: there was no room for it, or it lies too deep. */
  isCut: boolean
  noRoom: boolean
}

export interface Markdown {
  readonly body: string
  readonly truncated: boolean
  /** Where the next part begins; absent where it is read whole, or nothing tells. */
  readonly next?: string
}

/** A page of Notion's and how many of its blocks come before: `3:cursor`, and `3:` on the first one. */
const PLACE = /^(\d{1,3}):([\x21-\x7e]{0,240})$/

/** `from`: what an earlier part said. Refusals: those of the calls; tool_arguments_invalid for a place that is none. */
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
  /** Null on the first page. */
  readonly cursor: string | null
  readonly before: number
}

/**
 * The blocks of a page itself, each with what is under it, up to the first that there is no room for: the next part begins with that. One that is longer than a
 * part is cut, and the next part begins behind it. Null where that was all, or too many requests were needed to say.
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

/** Cleaning takes out spaces in front; here they say what is under what. */
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

/** These have no line of their own: what they hold stands where they stand. */
const CLEAR: ReadonlySet<string> = new Set(['column_list', 'column', 'synced_block', 'table'])
/** Pages of their own: only their titles are part of this one. */
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

/** Null for a block that has nothing to say. */
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

/** Cells are rich texts themselves. */
function rowOf(inner: JsonRecord): string {
  const cells = fieldOf(inner, 'cells')
  const texts = (Array.isArray(cells) ? cells : []).map((cell: unknown) => plainOf({ cell }, 'cell'))
  return `| ${texts.join(' | ')} |`
}

/** Files and links by what is written under them: their addresses are signed for an hour, and say nothing. */
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
