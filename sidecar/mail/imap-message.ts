/**
 * Converts an IMAP server's description of a message to the form of Gmail's resource, which the mail tool reads (shape.ts).
 * Header lines stay unchanged: addresses are read from the raw value. Must not fetch. Called by imap-mailbox.ts.
 */
import type { FetchMessageObject, MessageStructureObject } from 'imapflow'
import PostalMime from 'postal-mime'
import { INVITATION_NAME, INVITATION_TYPE } from '../../integrations/tools/email/message/mime.ts'
import type { JsonRecord } from '../../integrations/tools/reading.ts'

/** Headers that are fetched. */
export const HEADERS = [
  ...['from', 'to', 'cc', 'reply-to', 'subject', 'date', 'message-id', 'references', 'in-reply-to'],
  ...['list-unsubscribe', 'list-unsubscribe-post', 'list-id', 'precedence', 'auto-submitted'],
]
/** Maximum depth of parts: the sender determines the tree. */
const MAX_DEPTH = 12
/** UTF-16 units of a preview, before it is cleaned. */
const MAX_PREVIEW = 600

/** A body part with text, and the encodings of its bytes. */
export interface TextPart {
  /** As in `BODY[1.2]`. */
  readonly key: string
  readonly type: 'text/plain' | 'text/html'
  readonly node: MessageStructureObject
}

/** The first plain part and the first HTML part that are not attachments. */
export function textParts(root: MessageStructureObject | undefined): readonly TextPart[] {
  if (root === undefined) return []
  const found: TextPart[] = []
  const visit = (node: MessageStructureObject, depth: number): void => {
    const type = node.type.toLowerCase()
    if (depth > MAX_DEPTH || type === 'message/rfc822') return
    const isText = type === 'text/plain' || type === 'text/html'
    if (isText && !isFile(node) && !found.some((one) => one.type === type))
      found.push({ key: node.part ?? '1', type, node })
    for (const child of node.childNodes ?? []) visit(child, depth + 1)
  }
  visit(root, 0)
  return found
}

/** A part that is a file, with the name that the sender gave. */
export interface FilePart {
  readonly key: string
  readonly name: string
  readonly type: string
  /** Least number of bytes after decoding, by the size that the server reports. */
  readonly least: number
}

/**
 * Every part that is a file, in order. An attached mail is one. An invitation is one by its name; without a name it counts only
 * if no other file is an invitation.
 */
export function fileParts(root: MessageStructureObject | undefined): readonly FilePart[] {
  const found: FilePart[] = []
  const unnamed: FilePart[] = []
  const visit = (node: MessageStructureObject, depth: number): void => {
    const type = node.type.toLowerCase()
    const isMail = type === 'message/rfc822'
    if (INVITATION_TYPE.test(type) && !isFile(node))
      unnamed.push({ key: node.part ?? '1', name: INVITATION_NAME, type, least: leastBytes(node) })
    if (isMail || (isFile(node) && !type.startsWith('multipart/')))
      found.push({ key: node.part ?? '1', name: nameOf(node), type, least: leastBytes(node) })
    if (depth < MAX_DEPTH && !isMail) for (const child of node.childNodes ?? []) visit(child, depth + 1)
  }
  if (root !== undefined) visit(root, 0)
  const isThere = found.some(({ type, name }) => INVITATION_TYPE.test(type) || /\.ics$/i.test(name))
  return isThere ? found : [...found, ...unnamed]
}

/** Four characters of base64 give three bytes, less the line breaks; three characters of quoted-printable give at least one. */
const LEAST_OF: Readonly<Record<string, number>> = { base64: 0.7, 'quoted-printable': 0.3 }

function leastBytes({ size = 0, encoding = '' }: MessageStructureObject): number {
  return Math.floor(size * (LEAST_OF[encoding.toLowerCase()] ?? 1))
}

/** Decodes the bytes of a part by its declared encodings. Empty if they cannot be decoded. */
export async function textOf({ node, type }: TextPart, bytes: Uint8Array): Promise<string> {
  const charset = (node.parameters?.['charset'] ?? 'utf-8').replace(/[^A-Za-z0-9_:.-]/g, '').slice(0, 40)
  const encoding = (node.encoding ?? '7bit').replace(/[^A-Za-z0-9-]/g, '').slice(0, 40)
  const head = `Content-Type: ${type}; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  try {
    const mail = await PostalMime.parse(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
    return (type === 'text/plain' ? mail.text : mail.html) ?? ''
  } catch {
    return ''
  }
}

/** A preview as Gmail gives one: one line of text, escaped as HTML. */
export function previewOf(text: string, type: TextPart['type']): string {
  const plain =
    type === 'text/plain'
      ? text
      : text
          .slice(0, 20_000)
          .replace(/<(style|script|head)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
          .replace(/<[^>]*>/g, ' ')
  const line = plain
    .slice(0, 4 * MAX_PREVIEW)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_PREVIEW)
  const escaped = line.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return type === 'text/plain'
    ? escaped.replaceAll('&', '&amp;').replaceAll('&amp;lt;', '&lt;').replaceAll('&amp;gt;', '&gt;')
    : escaped
}

export interface MessageTexts {
  /** Texts by the key of their part. */
  readonly texts?: ReadonlyMap<string, string>
  readonly preview?: string
  readonly truncated?: boolean
}

export function resourceOf(id: string, message: FetchMessageObject, given: MessageTexts = {}): JsonRecord {
  const { flags, internalDate, headers, bodyStructure } = message
  const when = new Date(internalDate ?? 0).getTime()
  const lines = headerLines(headers)
  const root = bodyStructure === undefined ? {} : partOf(bodyStructure, given.texts ?? new Map(), 0)
  const own = Array.isArray(root['headers']) ? root['headers'] : []
  return {
    id,
    labelIds: flags?.has('\\Seen') === true ? [] : ['UNREAD'],
    internalDate: String(when),
    snippet: given.preview ?? '',
    truncated: given.truncated === true,
    payload: { ...root, headers: [...lines, ...own] },
  }
}

function partOf(node: MessageStructureObject, texts: ReadonlyMap<string, string>, depth: number): JsonRecord {
  const type = node.type.toLowerCase()
  const text = texts.get(node.part ?? '1')
  const isText = (type === 'text/plain' || type === 'text/html') && !isFile(node)
  const { disposition, size } = node
  return {
    mimeType: type,
    filename: nameOf(node),
    headers: disposition === undefined ? [] : [{ name: 'Content-Disposition', value: disposition }],
    body: {
      ...(size !== undefined && { size }),
      ...(isText && text !== undefined && { data: Buffer.from(text, 'utf8').toString('base64url') }),
    },
    parts:
      depth >= MAX_DEPTH || type === 'message/rfc822'
        ? []
        : (node.childNodes ?? []).map((child) => partOf(child, texts, depth + 1)),
  }
}

function isFile(node: MessageStructureObject): boolean {
  return nameOf(node) !== '' || node.disposition?.toLowerCase() === 'attachment'
}

function nameOf({ parameters, dispositionParameters }: MessageStructureObject): string {
  return dispositionParameters?.['filename'] ?? parameters?.['name'] ?? ''
}

/** Unfolds lines as RFC 5322 §2.2.3 says, and changes nothing else. */
function headerLines(
  bytes: Buffer | undefined,
): readonly { readonly name: string; readonly value: string }[] {
  if (bytes === undefined) return []
  return headerText(bytes)
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [{ name: line.slice(0, at), value: line.slice(at + 1).trim() }] : []
    })
}

/** RFC 6532 headers are UTF-8; other bytes come from older software. */
function headerText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
