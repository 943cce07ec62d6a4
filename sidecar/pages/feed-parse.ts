/**
 * Takes feeds in XML apart: RSS 2.0 (https://www.rssboard.org/rss-specification), RSS 1.0, and Atom (RFC 4287). Must run in a thread of its
 * own: called by page-worker.ts.
 */
import { FEED_LIMITS, type RawFeed, type RawItem } from '../../integrations/extractors/feed.ts'
import { htmlToText } from './page-parse.ts'
import { type HtmlNode, parseXml } from './page-tree.ts'

const ELEMENT = 1
/** Roots of feeds, without their prefix. */
const ROOTS: readonly string[] = ['rss', 'rdf', 'feed']
/** Most child elements of one element that are looked at: an endless feed ends here. */
const MOST_CHILDREN = 20_000

/** Null for XML of another kind. */
export function feedIn(xml: string): RawFeed | null {
  const root = parseXml(xml)
  if (root === null || !ROOTS.includes(localName(root))) return null
  const parts = childrenOf(root)
  const channel = parts.find((child) => localName(child) === 'channel') ?? root
  const inside = channel === root ? parts : [...childrenOf(channel), ...parts]
  const isAtom = localName(root) === 'feed'
  const items = inside.filter((child) => ['item', 'entry'].includes(localName(child)))
  return {
    title: titleIn(childrenOf(channel), isAtom),
    items: items.slice(0, FEED_LIMITS.read).map((item) => itemOf(item, isAtom)),
  }
}

function itemOf(element: HtmlNode, isAtom: boolean): RawItem {
  const parts = childrenOf(element)
  return {
    id: textIn(parts, ['guid', 'id']),
    title: titleIn(parts, isAtom) || textIn(parts, ['description', 'summary']),
    link: linkIn(parts),
    date: textIn(parts, ['pubdate', 'published', 'updated', 'date']),
  }
}

/** Atom's link to the page itself, RSS's text, or the id that RSS declares to be a link by default. */
function linkIn(parts: readonly HtmlNode[]): string {
  const links = parts.filter((part) => localName(part) === 'link')
  const alternate = links.find((link) => {
    const rel = link.getAttribute?.('rel') ?? 'alternate'
    return rel === 'alternate' && (link.getAttribute?.('href') ?? '') !== ''
  })
  const href = alternate?.getAttribute?.('href') ?? ''
  const text = href || textIn(links, ['link'])
  if (text !== '') return text
  const guid = parts.find((part) => localName(part) === 'guid')
  return guid === undefined || guid.getAttribute?.('isPermaLink') === 'false' ? '' : rawText(guid)
}

/** Atom says of its titles whether they are HTML (RFC 4287, 3.1.1): the angle brackets of a text are its own. RSS does not say. */
function titleIn(parts: readonly HtmlNode[], isAtom: boolean): string {
  const own = parts.find(({ nodeName }) => nodeName.toLowerCase() === 'title')
  const type = own?.getAttribute?.('type') || 'text'
  return own !== undefined && isAtom && /^text(?:\/plain)?$/.test(type) && own.getAttribute?.('mode') === null
    ? rawText(own).trim()
    : textIn(parts, ['title'])
}

/** The text of the first of these elements that has one; elements of other vocabularies count, such as `dc:date`. */
function textIn(parts: readonly HtmlNode[], names: readonly string[]): string {
  for (const name of names) {
    // An element without a prefix is of the feed itself.
    const found = parts.filter((part) => localName(part) === name)
    const part = found.find(({ nodeName }) => !nodeName.includes(':')) ?? found[0]
    const text = part === undefined ? '' : plain(rawText(part))
    if (text !== '') return text
  }
  return ''
}

/** Titles hold escaped HTML more often than not. */
function plain(text: string): string {
  return /[<&]/.test(text) ? htmlToText(text).trim() : text.trim()
}

function rawText(element: HtmlNode): string {
  const pieces: string[] = []
  let size = 0
  const open: (HtmlNode | null)[] = [element.firstChild]
  while (open.length > 0 && size < FEED_LIMITS.text) {
    const node = open.pop() ?? null
    if (node === null) continue
    open.push(node.nextSibling)
    if (node.nodeType === ELEMENT) open.push(node.firstChild)
    else {
      const value = node.nodeValue ?? ''
      pieces.push(value)
      size += value.length
    }
  }
  return pieces.join('').slice(0, FEED_LIMITS.text)
}

function childrenOf(element: HtmlNode): readonly HtmlNode[] {
  const children: HtmlNode[] = []
  for (
    let node = element.firstChild;
    node !== null && children.length < MOST_CHILDREN;
    node = node.nextSibling
  )
    if (node.nodeType === ELEMENT) children.push(node)
  return children
}

function localName({ nodeName }: HtmlNode): string {
  return nodeName.slice(nodeName.lastIndexOf(':') + 1).toLowerCase()
}
