/**
 * Filing mail by Gmail's API: archive, marks, spam, trash and back, by the actions that serve every account, against a server that knows only what Gmail documents;
 * a permission to read alone is said, and no request can reach a path that sends (I-11).
 */
import { describe, expect, it } from 'vitest'
import { withoutSending } from '../../integrations/tools/email/gmail.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { checkStatus } from '../../integrations/tools/remote.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { sendJson } from '../kit/server.ts'
import { BEARER, callTool, outputOf, refusal, tokenFor } from './calls.ts'
import { OWNER, startGoogle } from './google-emulator.ts'
import { startServer } from './servers.ts'

/** Labels of the system that a client may set by `modify`; TRASH has requests of its own here, as Gmail's guide wants it. */
const SETTABLE = ['INBOX', 'SPAM', 'UNREAD', 'STARRED', 'IMPORTANT', 'Label_1']
const LABELS_THERE = [
  { id: 'INBOX', name: 'INBOX', type: 'system' },
  { id: 'SENT', name: 'SENT', type: 'system' },
  { id: 'Label_1', name: 'Home/Taxes', type: 'user' },
  { id: 'Label_2', name: 'Home/Twice', type: 'user' },
  { id: 'Label_3', name: 'Work/Twice', type: 'user' },
  { id: '../send', name: 'Odd', type: 'user' },
]
const SCOPES = { read: 'gmail.readonly', file: 'gmail.modify' } as const
type Scope = (typeof SCOPES)[keyof typeof SCOPES]

/** As Google says that a permission does not cover a request. */
const NOT_COVERED = {
  error: {
    ...{ code: 403, message: 'Request had insufficient authentication scopes.', status: 'PERMISSION_DENIED' },
    errors: [{ message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' }],
    details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
  },
}

async function gmail(
  scopes: readonly Scope[] = [SCOPES.read, SCOPES.file],
  failsAt: string | null = null,
  refusesAt: string | null = null,
) {
  const labels = new Map([
    ['m1', new Set(['INBOX', 'UNREAD'])],
    ['m2', new Set(['INBOX'])],
    ['m3', new Set(['INBOX'])],
  ])
  const server = await startServer(({ method, path, headers, body }, response) => {
    if (method === 'GET' && path === '/gmail/v1/users/me/labels')
      return sendJson(response, { labels: LABELS_THERE })
    const refuse = (status: number, answer: object = { error: { code: status } }) =>
      sendJson(response, answer, status)
    const { id = '', does = '' } =
      /^\/gmail\/v1\/users\/me\/messages\/(?<id>\w+)\/(?<does>modify|trash|untrash)$/.exec(path)?.groups ?? {}
    if (headers.authorization !== `Bearer ${BEARER.value}`) return refuse(401)
    if (method !== 'POST' || does === '') return refuse(400)
    if (!scopes.includes(SCOPES.file)) return refuse(403, NOT_COVERED)
    if (id === failsAt || `${id}/${does}` === failsAt) return refuse(503)
    if (id === refusesAt) return refuse(403, { error: { code: 403 } })
    const own = labels.get(id)
    if (own === undefined) return refuse(404)
    const {
      addLabelIds: add = [],
      removeLabelIds: remove = [],
      ...strange
    } = JSON.parse(body || '{}') as {
      addLabelIds?: string[]
      removeLabelIds?: string[]
    }
    const isKnown = [...add, ...remove].every((label) => SETTABLE.includes(label))
    if (!isKnown || Object.keys(strange).length > 0 || (does !== 'modify' && body !== '{}'))
      return refuse(400)
    if (does === 'trash') own.add('TRASH').delete('INBOX')
    if (does === 'untrash') own.delete('TRASH')
    for (const label of add) own.add(label)
    for (const label of remove) own.delete(label)
    sendJson(response, { id, threadId: id, labelIds: [...own] })
  })
  const tool = createEmailTool({ baseUrl: server.origin, htmlText: async () => '', accounts: ['personal'] })
  const call = (action: string, args: { readonly [key: string]: Json }) =>
    callTool(tool, `email.${action}`, args, { exemptOrigins: [server.origin] })
  return { server, call, of: (id: string) => [...(labels.get(id) ?? [])].sort() }
}

describe('files', () => {
  it.each<readonly [string, { readonly [key: string]: Json }, readonly string[]]>([
    ['archive', {}, ['UNREAD']],
    ['move', { to: 'archive' }, ['UNREAD']],
    ['mark', { as: 'read' }, ['INBOX']],
    ['mark', { as: 'flagged' }, ['INBOX', 'STARRED', 'UNREAD']],
    ['spam', {}, ['SPAM', 'UNREAD']],
    ['delete', {}, ['TRASH', 'UNREAD']],
  ])('%s %j, and takes it back', async (action, args, after) => {
    const { call, of } = await gmail()
    expect(outputOf(await call(action, { ids: ['m1'], ...args }))).toEqual({
      ...{ emails: [{ id: 'm1' }], changed: 1, gone: 0 },
    })
    expect(of('m1')).toEqual(after)
    const back =
      action === 'mark'
        ? await call('mark', { ids: ['m1'], as: args['as'] === 'read' ? 'unread' : 'unflagged' })
        : await call('move', { ids: ['m1'], to: 'inbox' })
    expect(outputOf(back)).toMatchObject({ changed: 1 })
    expect(of('m1')).toEqual(['INBOX', 'UNREAD'])
  })

  it.each(['Taxes', 'taxes', 'home/taxes'])('under the label %s, and takes it back', async (folder) => {
    const { call, of } = await gmail()
    expect(outputOf(await call('file', { ids: ['m1'], folder }))).toMatchObject({ changed: 1 })
    expect(of('m1')).toEqual(['Label_1', 'UNREAD'])
    await call('move', { ids: ['m1'], to: 'inbox' })
    expect(of('m1')).toEqual(['INBOX', 'Label_1', 'UNREAD'])
  })

  it.each([
    ['None', 'mail_folder_missing'],
    ['Twice', 'mail_folder_ambiguous'],
    ['SENT', 'mail_folder_missing'],
    ['Odd', 'mail_folder_missing'],
    ['', 'mail_folder_missing'],
  ])('under no label "%s": %s', async (folder, code) => {
    const { call, of } = await gmail()
    expect(await call('file', { ids: ['m1'], folder })).toMatchObject(refusal(code))
    // Those are there, and none that mail is put into.
    if (folder !== 'SENT' && folder !== 'Odd')
      expect(await call('which', { ids: ['m1'], folder })).toMatchObject(refusal(code))
    expect(of('m1')).toEqual(['INBOX', 'UNREAD'])
  })

  it('many at once, with an account named, and says how many were gone', async () => {
    const { call, of } = await gmail()
    const ids = ['m1', 'gone', 'm2', 'm3', 'm2']
    expect(outputOf(await call('delete', { ids, account: 'personal' }))).toEqual({
      ...{ emails: [{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }], changed: 3, gone: 1 },
    })
    expect([of('m1'), of('m2')]).toEqual([['TRASH', 'UNREAD'], ['TRASH']])
  })

  it('out of the trash, but not back in the inbox, is not known to be undone', async () => {
    const { call, of } = await gmail(undefined, 'm1/modify')
    await call('delete', { ids: ['m1'] })
    expect(await call('move', { ids: ['m1'], to: 'inbox' })).toMatchObject(refusal('write_outcome_unknown'))
    expect(of('m1')).not.toContain('TRASH')
  })

  it('what fails half way is not known to be done, and not repeated', async () => {
    const { call, server } = await gmail(undefined, 'm3')
    expect(await call('archive', { ids: ['m1', 'm2', 'm3'] })).toMatchObject(refusal('write_outcome_unknown'))
    expect(server.seen).toHaveLength(3)
  })

  it('a certain refusal does not hide an unknown outcome beside it, whichever is first, and what is done is counted', async () => {
    for (const ids of [
      ['m1', 'm2'],
      ['m2', 'm1'],
    ]) {
      const { call } = await gmail(undefined, 'm2', 'm1')
      for (const action of ['archive', 'delete'])
        expect(await call(action, { ids })).toMatchObject({
          reason: {
            code: 'write_outcome_unknown',
            facts: { after: 'remote_unavailable', changed: 0, of: 2 },
          },
        })
    }
    const { call } = await gmail(undefined, null, 'm1')
    expect(await call('archive', { ids: ['m1'] })).toMatchObject(refusal('remote_rejected'))
    expect(await call('archive', { ids: ['m2', 'm1', 'm3'] })).toMatchObject({
      reason: { code: 'write_outcome_unknown', facts: { after: 'remote_rejected', changed: 2, of: 3 } },
    })
  })

  it('an id that is a path is asked for nowhere', async () => {
    const { call, server } = await gmail()
    expect(await call('archive', { ids: ['m1', '../send'] })).toMatchObject(refusal('tool_arguments_invalid'))
    expect(server.seen).toEqual([])
  })
})

it('an emulated mailbox lists what was filed where it is, and again in the inbox', async () => {
  const message = { user_email: OWNER, from: 'a@a.example', to: OWNER, subject: 's', body_text: 't' }
  const baseUrl = await startGoogle({ messages: [{ ...message, id: 'm1', label_ids: ['INBOX'] }] })
  const tool = createEmailTool({ baseUrl, htmlText: async () => '' })
  const call = async (action: string, args: { readonly [key: string]: Json }) =>
    outputOf(await callTool(tool, `email.${action}`, args, { exemptOrigins: [baseUrl] }))
  const inFolder = async (folder: string) => (await call('search', { folder }))['emails']
  for (const [action, folder] of [
    ['archive', 'archive'],
    ['spam', 'spam'],
    ['delete', 'trash'],
  ] as const) {
    await call(action, { ids: ['m1'] })
    expect(await inFolder('inbox')).toEqual([])
    // The emulator's search has no "-in:", by which an archived mail is found.
    if (folder !== 'archive') expect(await inFolder(folder)).toMatchObject([{ id: 'm1' }])
    await call('move', { ids: ['m1'], to: 'inbox' })
    expect(await inFolder('inbox')).toMatchObject([{ id: 'm1' }])
  }
})

describe('with a permission to read alone', () => {
  it.each<readonly [string, { readonly [key: string]: Json }]>([
    ['archive', {}],
    ['mark', { as: 'read' }],
    ['spam', {}],
    ['delete', {}],
    ['move', { to: 'inbox' }],
  ])('%s is refused by what is missing, and nothing has changed', async (action, args) => {
    const { call, of } = await gmail([SCOPES.read])
    expect(await call(action, { ids: ['m1'], ...args })).toMatchObject(refusal('remote_scope_missing'))
    expect(of('m1')).toEqual(['INBOX', 'UNREAD'])
  })

  it.each<
    readonly [
      string,
      { readonly status: number; readonly body: string; readonly headers?: Record<string, string> },
      string,
    ]
  >([
    [
      'by the standard',
      { status: 403, body: '', headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
      'remote_scope_missing',
    ],
    ['by a text that quotes it', { status: 403, body: 'insufficientPermissions' }, 'remote_rejected'],
    ['by another status', { status: 400, body: JSON.stringify(NOT_COVERED) }, 'remote_rejected'],
    ['by too many requests', { status: 403, body: '"rateLimitExceeded"' }, 'remote_rate_limited'],
  ])('%s', (_, answer, code) => expect(checkStatus(answer)).toMatchObject(refusal(code)))
})

describe('the client of an account that does not send', () => {
  const BASE = 'https://gmail.googleapis.com'

  it.each([
    ['/gmail/v1/users/me/messages/send', false],
    ['/gmail/v1/users/me/messages/send/', false],
    ['/gmail/v1/users/me/messages/send?alt=json', false],
    ['/gmail/v1/users/me/drafts/send', false],
    ['/upload/gmail/v1/users/me/messages/send?uploadType=media', false],
    ['/upload/gmail/v1/users/me/drafts', false],
    ['/resumable/upload/gmail/v1/users/me/messages', false],
    ['/gmail/v1/users/me/messages/m1/modify', true],
    ['/gmail/v1/users/me/messages/m1/trash', true],
    ['/gmail/v1/users/me/drafts', true],
    ['/gmail/v1/users/me/messages?q=send', true],
  ])('%s: %s', async (path, reaches) => {
    const asked: string[] = []
    const http = withoutSending({
      request: async ({ url }) => {
        asked.push(url)
        return ok({ status: 200, headers: {}, body: '{}', url })
      },
    })
    const made = await http.request({ method: 'POST', url: `${BASE}${path}`, headers: {} })
    expect(made).toMatchObject(reaches ? { ok: true } : refusal('mail_cannot_send'))
    expect(asked).toHaveLength(reaches ? 1 : 0)
  })

  it.each([
    ['send', { to: ['tom@x.example'], subject: 's', body: 'b' }],
    ['reply', { id: 'm1', to: 'tom@x.example', subject: 's', body: 'b' }],
    ['forward', { id: 'm1', to: ['tom@x.example'], subject: 's', text: 't' }],
  ])('%s is refused before anything is handed over', async (action, args) => {
    const asked: string[] = []
    const tool = createEmailTool({ htmlText: async () => '' })
    const body = JSON.stringify({
      ...{ id: 'm1', payload: { headers: [{ name: 'From', value: 'tom@x.example' }] } },
    })
    const outcome = await tool.execute({
      ...{ action: `email.${action}`, args, capability: tokenFor(`email.${action}`), credential: BEARER },
      http: {
        request: async ({ method, url }) => {
          asked.push(method)
          return ok({ status: 200, headers: {}, body, url })
        },
      },
    })
    expect(outcome).toMatchObject(refusal('mail_cannot_send'))
    expect(asked).not.toContain('POST')
  })
})
