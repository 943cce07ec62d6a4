/**
 * Title, author and date that a page declares in JSON-LD (https://schema.org/Article). A page may declare
 * anything, so all of it stays untrusted. Never throws. Called by the page readers of both places.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'

export interface StatedFacts {
  readonly title?: string
  readonly author?: string
  readonly date?: string
}

/** UTF-16 units of one block, and of the blocks and their items that are looked at. */
export const PAGE_DATA = Object.freeze({ block: 200_000, blocks: 10, items: 100, authors: 5 })

/** What is written by somebody at some time. A list of a shop or a search box is not. */
const WRITTEN =
  /^(?:https?:\/\/schema\.org\/)?(?:(?:\w+)?Article|(?:Live)?BlogPosting|(?:\w+)?Posting|Report|Review|Recipe|HowTo|ScholarlyArticle|WebPage|CreativeWork|VideoObject|PodcastEpisode)$/

/** Of the first thing that is stated to be written. */
export function statedFacts(blocks: readonly string[]): StatedFacts {
  const items = blocks.slice(0, PAGE_DATA.blocks).flatMap(itemsIn)
  const written = items.filter((item) => typesOf(item).some((type) => WRITTEN.test(type)))
  // The page itself is stated beside its article, and says less.
  const best = written.find((item) => !typesOf(item).some((type) => type.endsWith('WebPage'))) ?? written[0]
  if (best === undefined) return {}
  const title = textOf(best['headline']) || textOf(best['name'])
  const date = textOf(best['datePublished']) || textOf(best['dateCreated'])
  const author = namesOf(best['author'] ?? best['creator'], items)
  return {
    ...(title !== '' && { title }),
    ...(author !== '' && { author }),
    ...(date !== '' && { date }),
  }
}

export type Item = Readonly<Record<string, unknown>>

export function itemsIn(block: string): readonly Item[] {
  if (block.length > PAGE_DATA.block) return []
  try {
    const all = listOf(
      JSON.parse(block.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)|(?:-->|\/\*\]\]>\*\/)\s*$/g, '')),
    )
    return all
      .flatMap((one) =>
        isPlainRecord(one) && Array.isArray(one['@graph']) ? [one, ...one['@graph']] : [one],
      )
      .filter(isPlainRecord)
      .slice(0, PAGE_DATA.items)
  } catch {
    return []
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

export function typesOf(item: Item): readonly string[] {
  return listOf(item['@type']).filter((type) => typeof type === 'string')
}

export function textOf(value: unknown): string {
  const [first] = listOf(value)
  if (typeof first === 'string') return first.trim()
  return isPlainRecord(first) && typeof first['@value'] === 'string' ? first['@value'].trim() : ''
}

/**
 * People are names, records with one, or ids of records elsewhere on the page. An address of a profile is no
 * name.
 */
function namesOf(value: unknown, items: readonly Item[]): string {
  const names = listOf(value).flatMap((one) => {
    if (typeof one === 'string') return [one]
    if (!isPlainRecord(one)) return []
    const known =
      one['name'] === undefined ? items.find((item) => item !== one && item['@id'] === one['@id']) : one
    return [textOf(known?.['name'])]
  })
  const plain = names.map((name) => name.trim()).filter((name) => name !== '' && !/^https?:/i.test(name))
  return [...new Set(plain)].slice(0, PAGE_DATA.authors).join(', ')
}
