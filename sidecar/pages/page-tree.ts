/**
 * Documents of hostile HTML and XML as trees, and a walk over them in constant stack space. Runs no script, loads nothing, and expands
 * no entity of a document's own. Must run in a thread of its own: called by the parsers of page-worker.ts.
 */
import { DOMParser, parseHTML } from 'linkedom'
import { PAGE_LIMITS } from '../../integrations/extractors/page.ts'

export interface PageDocument extends HtmlNode {
  readonly documentElement: HtmlNode | null
}

/** linkedom is typed with DOM types of browsers; the result is narrowed to what the walk and Readability need. */
export function parseHtml(html: string): PageDocument {
  // Removes doctypes: linkedom gives such a node no next sibling, which would end the walk. `[^<>]` bounds the search
  // for each unclosed one, so that many of them do not take quadratic time.
  const bare = html.slice(0, PAGE_LIMITS.html).replace(/<!doctype[^<>]*>/gi, '')
  const whole = /<(?:html|body)\b/i.test(bare) ? bare : `<html><body>${bare}</body></html>`
  return (parseHTML(whole) as unknown as { document: PageDocument }).document
}

/** The root element; null where there is none. */
export function parseXml(xml: string): HtmlNode | null {
  const document = new DOMParser().parseFromString(xml.slice(0, PAGE_LIMITS.html), 'text/xml')
  return (document as unknown as PageDocument).documentElement
}

/** The part of a DOM node that the walk needs. */
export interface HtmlNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly firstChild: HtmlNode | null
  readonly nextSibling: HtmlNode | null
  readonly parentNode: HtmlNode | null
  getAttribute?(name: string): string | null
}

export interface Visitor {
  /** Returns whether to visit the children. */
  enter?(element: HtmlNode, name: string, depth: number): boolean
  leave?(element: HtmlNode, name: string): void
  text?(value: string): void
}

const ELEMENT = 1
const TEXT = 3

/** Depth first, in document order, in constant stack space: a page nested 100,000 deep is only a longer walk. */
export function walk(root: HtmlNode, visitor: Visitor): void {
  let node = root.firstChild
  let depth = 1
  while (node !== null) {
    const name = node.nodeName.toLowerCase()
    const inside = enter(node, name, { depth, visitor })
    if (inside && node.firstChild !== null) {
      node = node.firstChild
      depth += 1
      continue
    }
    if (node.nodeType === ELEMENT) visitor.leave?.(node, name)
    while (node.nextSibling === null) {
      node = node.parentNode
      depth -= 1
      if (node === null || node === root) return
      visitor.leave?.(node, node.nodeName.toLowerCase())
    }
    node = node.nextSibling
  }
}

function enter(
  node: HtmlNode,
  name: string,
  at: { readonly depth: number; readonly visitor: Visitor },
): boolean {
  if (node.nodeType === TEXT) at.visitor.text?.(node.nodeValue ?? '')
  if (node.nodeType !== ELEMENT) return false
  return at.visitor.enter?.(node, name, at.depth) ?? true
}
