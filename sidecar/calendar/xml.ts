/**
 * Parses the XML of a WebDAV response (RFC 4918): elements with their namespaces, and text. Refuses document types and custom
 * entities, so that nothing expands. Pure. Called by dav.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export interface XmlNode {
  readonly ns: string
  /** Local name, without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  /** Its own text, without that of its children. */
  readonly text: string
}

/** Maximum depth: a response has seven levels, and the code that walks it is recursive. */
const MAX_DEPTH = 32
/** Maximum number of elements: a response with thousands of events has about ten for each. */
const MAX_NODES = 200_000
const XML_NS = 'http://www.w3.org/XML/1998/namespace'

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\/(?<end>[^\s<>]+)\s*>|<(?<start>[^\s/<>!?]+)(?<attributes>(?:\s+[^\s=<>/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y
const ATTRIBUTE = /([^\s=<>/"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));|&/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

interface Open {
  readonly tag: string
  readonly ns: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly prefixes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  text: string
}

/** The root element. Refusal: tool_result_invalid for XML that is not well-formed. */
export function readXml(source: string): Result<XmlNode> {
  const stack: Open[] = [rootOf()]
  let nodes = 0
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const found = TOKEN.exec(source)
    if (found === null) return malformed()
    const { cdata, end, start, attributes = '', empty, text } = found.groups ?? {}
    const top = stack.at(-1)
    if (top === undefined) return malformed()
    if (start !== undefined) {
      nodes += 1
      const opened = open(start, attributes, top.prefixes)
      if (opened === null || nodes > MAX_NODES || stack.length > MAX_DEPTH) return malformed()
      if (empty === '/') top.children.push(opened)
      else stack.push(opened)
    } else if (end !== undefined) {
      if (top.tag !== end || stack.length < 2) return malformed()
      stack.pop()
      stack.at(-1)?.children.push(top)
    } else {
      const words = text === undefined ? (cdata ?? '') : resolved(text)
      if (words === null) return malformed()
      top.text += words
    }
  }
  const [document] = stack
  const [root] = document?.children ?? []
  const isWhole = stack.length === 1 && document?.children.length === 1 && document.text.trim() === ''
  return isWhole && root !== undefined ? ok(root) : malformed()
}

function rootOf(): Open {
  return { tag: '', ns: '', name: '', attributes: {}, prefixes: { xml: XML_NS }, children: [], text: '' }
}

function open(tag: string, typed: string, outer: Open['prefixes']): Open | null {
  const attributes: Record<string, string> = Object.create(null)
  const prefixes: Record<string, string> = Object.assign(Object.create(null), outer)
  for (const [, name = '', double, single] of typed.matchAll(ATTRIBUTE)) {
    const value = resolved(double ?? single ?? '')
    if (value === null) return null
    if (name === 'xmlns') prefixes[''] = value
    else if (name.startsWith('xmlns:')) prefixes[name.slice('xmlns:'.length)] = value
    else attributes[name] = value
  }
  const [prefix = '', name] = tag.includes(':') ? tag.split(':') : ['', tag]
  const ns = prefixes[prefix] ?? (prefix === '' ? '' : null)
  return name === undefined || ns === null
    ? null
    : { tag, ns, name, attributes, prefixes, children: [], text: '' }
}

/** Null for an entity that XML does not define. */
function resolved(text: string): string | null {
  let isKnown = true
  const out = text.replace(REFERENCE, (_, decimal?: string, hex?: string, named?: string) => {
    const point =
      decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null
    if (point !== null && point > 0 && point <= 0x10_ff_ff) return String.fromCodePoint(point)
    const value = named === undefined ? undefined : NAMED[named.toLowerCase()]
    if (value === undefined) isKnown = false
    return value ?? ''
  })
  return isKnown ? out : null
}

function malformed(): Result<never> {
  return err('tool_result_invalid', { rule: 'xml' })
}

export function childrenOf(node: XmlNode, ns: string, name: string): readonly XmlNode[] {
  return node.children.filter((child) => child.ns === ns && child.name === name)
}

/** The first descendant along this path; null if there is none. */
export function nodeAt(
  node: XmlNode,
  ...path: readonly (readonly [ns: string, name: string])[]
): XmlNode | null {
  let at: XmlNode | null = node
  for (const [ns, name] of path) at = at === null ? null : (childrenOf(at, ns, name)[0] ?? null)
  return at
}
