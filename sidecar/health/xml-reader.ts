/**
 * Streaming reader of XML tags with the memory of one tag. Returns elements and attributes; skips text,
 * comments, processing instructions and the document type, and never defines or expands an entity. Called by
 * apple-export.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/**
 * Maximum UTF-16 units of one tag; the longest in an export has a few thousand. Stops a tag that would fill
 * the memory.
 */
const LONGEST_TAG = 262_144

export interface Tags {
  /** `inside`: text between the name and the end of the tag. `closed`: an empty element, without end tag. */
  open(name: string, inside: string, closed: boolean): void
  close(name: string): void
}

export interface XmlReader {
  /** Refusal: health_malformed, which is final. */
  push(text: string): Result<true>
  /** Checks that the text ended outside of a tag and had at least one. Refusal: health_malformed. */
  end(): Result<true>
}

type Passing = 'text' | 'comment' | 'cdata' | 'instruction' | 'doctype' | 'subset' | 'subset_comment'

/** End marks of the constructs that are skipped. */
const ENDS: Readonly<Record<Exclude<Passing, 'text' | 'doctype' | 'subset'>, string>> = {
  comment: '-->',
  cdata: ']]>',
  instruction: '?>',
  subset_comment: '-->',
}
const BEGINS: readonly (readonly [mark: string, what: Passing])[] = [
  ['<!--', 'comment'],
  ['<![CDATA[', 'cdata'],
  ['<!DOCTYPE', 'doctype'],
  ['<?', 'instruction'],
]
const LONGEST_MARK = 9

export function createXmlReader(tags: Tags): XmlReader {
  let rest = ''
  let passing: Passing = 'text'
  let seen = 0
  let broken = false

  const malformed = (): Result<true> => {
    broken = true
    rest = ''
    return err('health_malformed')
  }

  /** The next position; null if more input is needed. */
  const pass = (at: number): number | null => {
    if (passing === 'text') return null
    if (passing === 'doctype') return passDoctype(at)
    if (passing === 'subset') return passSubset(at)
    const end = ENDS[passing]
    const found = rest.indexOf(end, at)
    if (found < 0) return keep(Math.max(at, rest.length - end.length + 1))
    passing = passing === 'subset_comment' ? 'subset' : 'text'
    return found + end.length
  }
  const keep = (at: number): null => {
    rest = rest.slice(at)
    return null
  }
  const passDoctype = (at: number): number | null => {
    const found = firstOf(rest, DOCTYPE_MARK, at)
    if (found < 0) return keep(rest.length)
    passing = rest[found] === '[' ? 'subset' : 'text'
    return found + 1
  }
  /** Quotation marks are not balanced: real exports have had unbalanced ones. */
  const passSubset = (at: number): number | null => {
    const comment = rest.indexOf('<!--', at)
    const end = SUBSET_END.exec(rest.slice(at))
    if (comment >= 0 && (end === null || comment < at + end.index)) {
      passing = 'subset_comment'
      return comment + 4
    }
    if (end === null) return keep(Math.max(at, rest.length - 64))
    passing = 'text'
    return at + end.index + end[0].length
  }

  /** The position after the tag that begins at `at`; null if more input is needed, -1 if it is no tag. */
  const tag = (at: number): number | null => {
    if (rest.length - at < LONGEST_MARK && BEGINS.some(([mark]) => mark.startsWith(rest.slice(at))))
      return null
    const special = BEGINS.find(([mark]) => rest.startsWith(mark, at))
    if (special !== undefined) {
      passing = special[1]
      return at + special[0].length
    }
    const end = tagEnd(rest, at + 1)
    if (end < 0) return rest.length - at > LONGEST_TAG ? -1 : null
    return told(rest.slice(at + 1, end)) ? end + 1 : -1
  }
  const told = (text: string): boolean => {
    if (text.length > LONGEST_TAG) return false
    const isEnd = text.startsWith('/')
    const name = NAME.exec(isEnd ? text.slice(1) : text)?.[0]
    if (name === undefined) return false
    seen += 1
    if (isEnd) tags.close(name)
    else {
      const closed = text.endsWith('/')
      tags.open(name, text.slice(name.length, closed ? -1 : undefined), closed)
    }
    return true
  }

  return {
    push(text) {
      if (broken) return err('health_malformed')
      rest += text
      let at = 0
      for (;;) {
        if (passing !== 'text') {
          const next = pass(at)
          if (next === null) return ok(true)
          at = next
          continue
        }
        const begin = rest.indexOf('<', at)
        if (begin < 0) {
          rest = ''
          return ok(true)
        }
        const next = tag(begin)
        if (next === -1) return malformed()
        if (next === null) {
          rest = rest.slice(begin)
          return ok(true)
        }
        at = next
      }
    },
    end: () => (!broken && passing === 'text' && rest === '' && seen > 0 ? ok(true) : malformed()),
  }
}

const NAME = /^[A-Za-z_][\w.:-]{0,199}/
const SUBSET_END = /\]\s{0,32}>/

/** Position of the end of the tag, outside of quotation marks. */
function tagEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    const found = firstOf(text, TAG_MARK, at)
    if (found < 0 || text[found] === '>') return found
    const closing = text.indexOf(text[found] ?? '', found + 1)
    if (closing < 0) return -1
    at = closing + 1
  }
}

const TAG_MARK = /[>"']/g
const DOCTYPE_MARK = /[[>]/g

function firstOf(text: string, mark: RegExp, from: number): number {
  mark.lastIndex = from
  return mark.exec(text)?.index ?? -1
}

const ATTRIBUTE = /([A-Za-z_][\w.:-]{0,199})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * The first attribute of each name counts. Decodes the five entities of XML and numeric ones; any other stays
 * as written.
 */
export function attributesOf(inside: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', one, other] of inside.matchAll(ATTRIBUTE))
    if (!found.has(name)) found.set(name, decoded(one ?? other ?? ''))
  return found
}

function decoded(value: string): string {
  if (!value.includes('&')) return value
  return value.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (as, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES[String(name)] ?? as
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : as
    },
  )
}
