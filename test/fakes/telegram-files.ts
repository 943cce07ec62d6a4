/**
 * Files of the scripted Telegram: what people sent to the bot, where they lie for an hour, and how the file server may misbehave.
 * Called by telegram-server.ts and telegram-methods.ts.
 */
import type { ServerResponse } from 'node:http'
import { badRequest } from './telegram-refusal.ts'

/** Bytes that a bot may download. */
const MOST = 20 * 1024 * 1024

export interface SentFile {
  /** Base64 of its bytes. */
  readonly bytes: string
  /** What Telegram says of its size, where that is not so. */
  readonly told?: number
  /** Another path than the usual. */
  readonly path?: string
  /**
   * `gone`: its path has expired; `endless`: bytes without end; `less` and `more`: a Content-Length that is not so;
   * `redirect`: to another address; `busy`: 429; `hidden`: Telegram names no path.
   */
  readonly fault?: 'gone' | 'endless' | 'less' | 'more' | 'redirect' | 'busy' | 'hidden'
}

export const pathOf = (id: string, { path }: SentFile): string => path ?? `documents/${id}.txt`

export function getFile(files: ReadonlyMap<string, SentFile>, id: string): object {
  const file = files.get(id)
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable')
  const size = file.told ?? Buffer.from(file.bytes, 'base64').length
  if (size > MOST) throw badRequest('file is too big')
  const where = file.fault === 'hidden' ? {} : { file_path: pathOf(id, file) }
  return { file_id: id, file_unique_id: `u${id}`, file_size: size, ...where }
}

/** What the file server sends for a path; by the right token alone. */
export function serveFile(
  files: ReadonlyMap<string, SentFile>,
  { path, isOurs }: { readonly path: string; readonly isOurs: boolean },
  response: ServerResponse,
): void {
  const [, file] = [...files].find(([id, one]) => pathOf(id, one) === path) ?? []
  if (!isOurs || file === undefined || file.fault === 'gone')
    return void response.writeHead(404).end('{"ok":false}')
  const bytes = Buffer.from(file.bytes, 'base64')
  switch (file.fault) {
    case 'busy':
      return void response.writeHead(429).end()
    case 'redirect':
      return void response.writeHead(302, { location: '/elsewhere' }).end()
    case 'endless':
      pour(response.writeHead(200))
      return
    case 'less':
    case 'more': {
      // Past Node's own count of what was said: by the socket.
      const said = file.fault === 'less' ? 4 : bytes.length + 50
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: ${said}\r\nconnection: close\r\n\r\n${bytes}`)
      return
    }
    default:
      return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  }
}

/** Of a part's head: its name, and the name of a file; as lenient about quotation marks and spaces as Telegram is. */
const DISPOSITION =
  /^content-disposition:\s*form-data;\s*name="?([^";]+)"?(?:;\s*filename="?([^";\r\n]+)"?)?/i

/** A form as Telegram takes one: fields, and files, which a field may name by `attach://`. Throws a `Refusal`. */
export function formIn(body: Buffer, type: string): Readonly<Record<string, unknown>> {
  const boundary = /boundary=([^;]+)/.exec(type)?.[1] ?? ''
  const [before, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`)
  if (boundary === '' || before !== '' || !parts.pop()?.startsWith('--')) throw badRequest("can't parse form")
  const form: Record<string, unknown> = {}
  for (const part of parts) {
    const end = part.indexOf('\r\n\r\n')
    const [, name = '', file] = DISPOSITION.exec(part.slice(2, end)) ?? []
    if (end < 0 || name === '') throw badRequest("can't parse form")
    const text = Buffer.from(part.slice(end + 4), 'latin1').toString('utf8')
    form[name] = file === undefined ? text : { name: file, text }
  }
  for (const [name, value] of Object.entries(form)) {
    const attached = /^attach:\/\/(.+)$/.exec(String(value))?.[1]
    if (attached !== undefined) form[name] = form[attached]
  }
  // In a form every value is text.
  const { chat_id: chat } = form
  return { ...form, ...(/^-?\d+$/.test(String(chat)) && { chat_id: Number(chat) }) }
}

/** UTF-16 units. */
const MAX_CAPTION = 1_024

export function checkDocument({ caption = '', document }: Readonly<Record<string, unknown>>): {
  readonly text: string
  readonly document: SentDocument
} {
  if (typeof document !== 'object' || document === null)
    throw badRequest('there is no document in the request')
  const { name, text } = document as SentDocument
  if (text === '') throw badRequest('file must be non-empty')
  if (!/^[\w.-]{1,255}$/.test(name)) throw badRequest('wrong file name')
  if (String(caption).length > MAX_CAPTION) throw badRequest('message caption is too long')
  return { text: String(caption), document: { name, text } }
}

/** A file that the bot sent. */
export interface SentDocument {
  readonly name: string
  readonly text: string
}

/** Until nobody listens any more. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'a')
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
