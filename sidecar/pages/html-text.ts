/**
 * Walks parsed HTML without recursion and collects the text that a person would see. Must not change the tree.
 * Called by page-parse.ts.
 */
import { BLOCK_ELEMENTS, HIDING_STYLE, SILENT_ELEMENTS } from '../../integrations/extractors/page-elements.ts'

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

/**
 * Visible text, one line a block, until about twice `max` UTF-16 units are collected. The cleaning step cuts the rest.
 */
export function textOf(root: HtmlNode, max: number): string {
  const pieces: string[] = []
  let size = 0
  const add = (piece: string): void => {
    // Repeated empty blocks must not use up the limit for text.
    if (size > max * 2 || (piece === '\n' && pieces.at(-1) === '\n' && pieces.at(-2) === '\n')) return
    pieces.push(piece)
    size += piece.length
  }
  walk(root, {
    enter: (element, name) => {
      if (BLOCK_ELEMENTS.has(name)) add('\n')
      return !SILENT_ELEMENTS.has(name) && !isHidden(element)
    },
    leave: (_, name) => {
      if (BLOCK_ELEMENTS.has(name)) add('\n')
    },
    text: (value) => add(value.replace(/\s+/g, ' ')),
  })
  return pieces.join('')
}

function isHidden(element: HtmlNode): boolean {
  const attribute = (name: string): string | null => element.getAttribute?.(name) ?? null
  return (
    attribute('hidden') !== null ||
    attribute('aria-hidden') === 'true' ||
    HIDING_STYLE.test(attribute('style') ?? '')
  )
}
