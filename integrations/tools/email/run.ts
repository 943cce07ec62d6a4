/**
 * Gmail over its REST API: list and read, never send (I-11). Requests only the fields that it returns. Must not store the
 * credential. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HtmlText } from '../../extractors/page.ts'
import { googleCheck } from '../google-connect.ts'
import { fieldOf, isPathId, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { DEFAULT_EMAILS, EMAIL_MANIFEST, MAX_EMAILS } from './manifest.ts'
import { shapeCount, shapeListed, shapeRead } from './shape.ts'

export interface EmailOptions {
  /** Origin of the Gmail API. */
  readonly baseUrl?: string
  /** The owner's names for the mailboxes. A call that names another is refused (I-12). */
  readonly accounts?: readonly string[]
  readonly htmlText: HtmlText
}

const GMAIL = 'https://gmail.googleapis.com'
/** Maximum ids of one Gmail page. */
const MAX_COUNTED = 500
/** Concurrent message requests: Gmail limits them per user. */
const PARALLEL = 5
/** Partial response: headers and the outline of the parts, three levels deep, without any body. */
const OUTLINE = 'filename,mimeType,parts(filename,mimeType,parts(filename,mimeType))'
const LISTED_FIELDS = `id,labelIds,snippet,internalDate,payload(headers,${OUTLINE})`

export function createEmailTool(options: EmailOptions): Tool {
  const base = options.baseUrl ?? GMAIL
  return {
    manifest: { ...EMAIL_MANIFEST, network: [new URL(base).host] },
    check: googleCheck(base, '/gmail/v1/users/me/profile'),
    execute: async (call) => {
      const account = call.args['account']
      if (account !== undefined && !(options.accounts ?? []).some((name) => name === account))
        return err('credential_mismatch', { rule: 'account' })
      if (call.action === 'email.list') return listEmails(call, base)
      if (call.action === 'email.count') return countEmails(call, base)
      if (call.action === 'email.read') return readEmail(call, base, options.htmlText)
      return err('tool_unknown')
    },
  }
}

async function listEmails(call: ToolCall, base: string): Promise<ToolOutcome> {
  const count = call.args['count'] ?? DEFAULT_EMAILS
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return err('tool_arguments_invalid', { rule: 'count' })
  const url = new URL('/gmail/v1/users/me/messages', base)
  url.searchParams.append('labelIds', 'INBOX')
  if (call.args['unread'] === true) url.searchParams.append('labelIds', 'UNREAD')
  url.searchParams.set('maxResults', String(Math.min(count, MAX_EMAILS)))
  const listed = await callJson(call, { method: 'GET', url: url.href })
  if (!listed.ok) return listed
  const ids = recordsOf(listed.value, 'messages')
    .map((message) => stringOf(message, 'id'))
    .filter(isPathId)
  const messages = await readAll(call, base, ids.slice(0, Math.min(count, MAX_EMAILS)))
  if (!messages.ok) return messages
  const emails: object[] = []
  for (const message of messages.value) {
    const shaped = shapeListed(message)
    if (!shaped.ok) return shaped
    emails.push(shaped.value)
  }
  return { ok: true, output: { emails, more: fieldOf(listed.value, 'nextPageToken') !== undefined } }
}

/** Requests ids only, so no content of a mail is fetched. */
async function countEmails(call: ToolCall, base: string): Promise<ToolOutcome> {
  const url = new URL('/gmail/v1/users/me/messages', base)
  for (const label of ['INBOX', 'UNREAD']) url.searchParams.append('labelIds', label)
  url.searchParams.set('maxResults', String(MAX_COUNTED))
  const listed = await callJson(call, { method: 'GET', url: url.href })
  return listed.ok ? { ok: true, output: shapeCount(listed.value) } : listed
}

async function readEmail(call: ToolCall, base: string, htmlText: HtmlText): Promise<ToolOutcome> {
  const id = call.args['id']
  if (typeof id !== 'string' || !isPathId(id)) return err('tool_arguments_invalid', { rule: 'id' })
  const message = await getMessage(call, messageUrl(base, id))
  if (!message.ok) return message
  const shaped = await shapeRead(message.value, htmlText)
  return shaped.ok ? { ok: true, output: shaped.value } : shaped
}

/** Reads in groups. A mail that was deleted meanwhile is skipped; any other failure fails the whole call. */
async function readAll(
  call: ToolCall,
  base: string,
  ids: readonly string[],
): Promise<Result<readonly JsonRecord[]>> {
  const messages: JsonRecord[] = []
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const group = ids.slice(at, at + PARALLEL).map((id) => {
      const url = messageUrl(base, id)
      url.searchParams.set('fields', LISTED_FIELDS)
      return getMessage(call, url)
    })
    for (const message of await Promise.all(group)) {
      if (message.ok) messages.push(message.value)
      else if (message.reason.code !== 'remote_not_found') return message
    }
  }
  return ok(messages)
}

function getMessage(call: ToolCall, url: URL): Promise<Result<JsonRecord>> {
  url.searchParams.set('format', 'full')
  return callJson(call, { method: 'GET', url: url.href })
}

function messageUrl(base: string, id: string): URL {
  return new URL(`/gmail/v1/users/me/messages/${id}`, base)
}
