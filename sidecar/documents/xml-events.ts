/**
 * Tags and texts of an XML part, in order. No entity is defined or expanded but the five of XML and numbers; a document type is refused, as office
 * documents have none. Constant stack, linear time. Pure. Called by the readers of office documents.
 */

export interface XmlEvents {
  /** `name`: without its prefix. `of`: an attribute by its name, without prefix unless one is asked for; empty where there is none. */
  open?(name: string, of: (attribute: string) => string): void
  close?(name: string): void
  text?(text: string): void
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\/(?<end>[^\s<>]+)\s*>|<(?<start>[^\s/<>!?]+)(?<attributes>(?:\s+[^\s=<>/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y
const ATTRIBUTE = /([^\s=<>/"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Throws for what is no XML. `isEnough`: ends it early. */
export function readXmlEvents(
  source: string,
  events: XmlEvents,
  isEnough: () => boolean = () => false,
): void {
  TOKEN.lastIndex = source.startsWith('\ufeff') ? 1 : 0
  while (TOKEN.lastIndex < source.length && !isEnough()) {
    const found = TOKEN.exec(source)
    if (found === null) throw new Error('no XML')
    const { cdata, end, start, attributes = '', empty, text } = found.groups ?? {}
    if (start !== undefined) {
      const name = localName(start)
      // The tokens of what is called must not move this one.
      const at = TOKEN.lastIndex
      events.open?.(name, (wanted) => attributeOf(attributes, wanted))
      if (empty === '/') events.close?.(name)
      TOKEN.lastIndex = at
    } else if (end !== undefined) events.close?.(localName(end))
    else if (cdata !== undefined) events.text?.(cdata)
    else if (text !== undefined) events.text?.(resolved(text))
  }
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1)
}

function attributeOf(attributes: string, wanted: string): string {
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE))
    if ((wanted.includes(':') ? name : localName(name)) === wanted) return resolved(double ?? single ?? '')
  return ''
}

function resolved(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (as: string, decimal?: string, hex?: string, named?: string) => {
    if (named !== undefined) return NAMED[named.toLowerCase()] ?? as
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : as
  })
}
