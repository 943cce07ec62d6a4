/**
 * Parses the name of a page: its id, its link, or words of its title; and selects among the pages found. A link leads to no other
 * host: only its id is used. Pure. Called by find.ts.
 */

/** What a page is called, or its id. */
export type Named = { readonly id: string } | { readonly title: string }

const HEX = '[0-9a-f]{32}'
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const ID = new RegExp(`^(?:${HEX}|${UUID})$`, 'i')
/** `https://www.notion.so/acme/Roof-plan-<id>?v=…`, `https://acme.notion.site/Roof-plan-<id>`, `notion://…` */
const LINK = new RegExp(
  `^(?:https?|notion)://(?:[a-z0-9-]+\\.)*notion\\.(?:so|site|com)/(?:[^\\s?#]*[/-])?(${HEX}|${UUID})(?:[?#]\\S*)?$`,
  'i',
)

/** In Notion's form; null if the text is no id. */
export function idIn(text: string): string | null {
  if (!ID.test(text)) return null
  const hex = text.replaceAll('-', '').toLowerCase()
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function namedBy(text: string): Named {
  const plain = text.trim().replace(/^["“”'‘’«»<]+|["“”'‘’«»>]+$/g, '')
  const id = idIn(plain) ?? idIn(LINK.exec(plain)?.[1] ?? '')
  return id === null ? { title: plain } : { id }
}

/**
 * The only one with exactly this title, otherwise the only one whose title has all its words. `several`: the owner has to choose.
 */
export function meantOf<T>(
  title: string,
  found: readonly T[],
  titleOf: (one: T) => string,
): { readonly one: T } | 'none' | 'several' {
  const wanted = plain(title)
  if (wanted === '') return 'none'
  const exact = found.filter((one) => plain(titleOf(one)) === wanted)
  const words = wanted.split(' ')
  const having = found.filter((one) => {
    const own = new Set(plain(titleOf(one)).split(' '))
    return words.every((word) => own.has(word))
  })
  const [one, ...others] = exact.length > 0 ? exact : having
  if (one === undefined) return 'none'
  return others.length === 0 ? { one } : 'several'
}

/** Letters and digits only: titles often begin with emoji, and people type neither those nor capitals. */
function plain(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(' ') ?? ''
  )
}
