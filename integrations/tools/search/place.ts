/**
 * Where the next results of a search begin: which page of the engine, by the engine's own mark, and how many of its results were shown. Also finds
 * that mark in DuckDuckGo's page. A mark goes back to the engine that gave it and nowhere else. Pure. Called by engines.ts and run.ts.
 */
export interface SearchPlace {
  /** The engine's own mark; empty for its first page. */
  readonly page: string
  /** Results of that page that come before. */
  readonly skip: number
}

const FIRST_PLACE: SearchPlace = Object.freeze({ page: '', skip: 0 })

/** UTF-16 units: with the engine's name it fits into an id. */
const LONGEST_MARK = 200
const MARK = /^[\x21-\x39\x3b-\x7e]*$/
const PLACE = /^([a-z]{2,20}):(\d{1,2}):([\x21-\x7e]*)$/
/** Pages that are asked for behind the first one: engines answer no more of them to anybody. */
export const MOST_PAGES = 9

export function placeText(engine: string, { page, skip }: SearchPlace): string {
  return `${engine}:${skip}:${page}`
}

/** Null for what this engine did not give. */
export function placeIn(text: unknown, engine: string): SearchPlace | null {
  if (text === undefined) return FIRST_PLACE
  const [, of, skip, page] = PLACE.exec(String(text)) ?? []
  return of !== engine || page === undefined ? null : { page, skip: Number(skip) }
}

/** Number of a page whose mark is its number, from 0. */
export function numberOf(page: string): number {
  return /^\d{1,2}$/.test(page) ? Math.min(Number(page), MOST_PAGES) : 0
}

/** Fields of DuckDuckGo's form for another page, in this order: the first result's number, how many came before, and its own check of the words. */
const FIELDS = ['s', 'dc', 'vqd'] as const
const DUCKDUCKGO = /^(\d{1,4})\.(\d{1,4})\.([\w-]{1,150})$/

/** The form fields of a page that DuckDuckGo named; null for none. */
export function duckduckgoFields(page: string): Readonly<Record<string, string>> | null {
  const [, s, dc, vqd] = DUCKDUCKGO.exec(page) ?? []
  return s === undefined || dc === undefined || vqd === undefined
    ? null
    : { s, nextParams: '', v: 'l', o: 'json', dc, api: 'd.js', vqd }
}

/** The mark of the next page, by the forms of this one: the one for the page before lies beside it, and begins earlier. */
export function duckduckgoNext(html: string, page: string): string | null {
  const from = Number(duckduckgoFields(page)?.['s'] ?? 0)
  const marks = html
    .split(/<form\b/i)
    .slice(1)
    .map((form) => hiddenIn(form.split(/<\/form/i, 1)[0] ?? ''))
    .map((fields) => FIELDS.map((name) => fields.get(name) ?? '').join('.'))
    .filter((mark) => mark.length <= LONGEST_MARK && MARK.test(mark) && duckduckgoFields(mark) !== null)
  const next = marks.toSorted((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))[0]
  return next !== undefined && Number.parseInt(next, 10) > from ? next : null
}

function hiddenIn(form: string): ReadonlyMap<string, string> {
  const inputs = [...form.matchAll(/<input\b([^<>]{0,600})>/gi)].map(([, inner = '']) => inner)
  return new Map(
    inputs.flatMap((input) => {
      const [name, value] = [attributeOf(input, 'name'), attributeOf(input, 'value')]
      return name === null || value === null ? [] : [[name, value] as const]
    }),
  )
}

function attributeOf(input: string, name: string): string | null {
  const [, double, single] = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(input) ?? []
  return double ?? single ?? null
}
