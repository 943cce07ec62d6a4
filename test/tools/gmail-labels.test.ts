/** Gmail's labels as folders: named, searched by a name, and made; against a server that says what Gmail documents, and the emulator of the demo. */
import { expect, it } from 'vitest'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { sendJson } from '../kit/server.ts'
import { BEARER, callTool, outputOf, refusal } from './calls.ts'
import { OWNER, startGoogle } from './google-emulator.ts'
import { startServer } from './servers.ts'

const SYSTEM = ['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'CATEGORY_SOCIAL']
const LABELS = [
  ...SYSTEM.map((id) => ({ id, name: id, type: 'system' })),
  { id: 'Label_1', name: 'Home/Taxes', type: 'user' },
  { id: 'Label_2', name: 'Home/Twice', type: 'user' },
  { id: 'Label_3', name: 'Work/Twice', type: 'user' },
  { id: '../send', name: 'Odd', type: 'user' },
]

/** `made`: how it answers a new label. */
async function gmail(made: { readonly status: number; readonly body?: object } = { status: 200 }) {
  const asked: string[] = []
  const server = await startServer(({ method, path: target, body }, response) => {
    const { pathname: path, searchParams: given } = new URL(target, 'http://localhost')
    if (path === '/gmail/v1/users/me/profile') return sendJson(response, { emailAddress: OWNER })
    if (path === '/gmail/v1/users/me/labels' && method === 'POST') {
      asked.push(`made ${body}`)
      return sendJson(response, made.body ?? { id: 'Label_9', ...JSON.parse(body || '{}') }, made.status)
    }
    if (path === '/gmail/v1/users/me/labels') return sendJson(response, { labels: LABELS })
    if (path !== '/gmail/v1/users/me/messages') return sendJson(response, {}, 404)
    asked.push([...given.getAll('labelIds'), given.get('q') ?? ''].join(' ').trim())
    return sendJson(response, { messages: [] })
  })
  const tool = createEmailTool({ baseUrl: server.origin, htmlText: async () => '' })
  const call = (action: string, args: { readonly [key: string]: Json }) =>
    callTool(tool, `email.${action}`, args, { exemptOrigins: [server.origin], credential: BEARER })
  return { call, asked }
}

it('names folders and labels, and no mark that is a label, without counts that would be asked one by one', async () => {
  const { call } = await gmail()
  expect(outputOf(await call('folders', {}))).toEqual({
    folders: [
      ...['inbox', 'sent', 'drafts', 'spam', 'trash'].map((use) => ({ name: use, use })),
      ...['Home/Taxes', 'Home/Twice', 'Work/Twice', 'Odd'].map((name) => ({ name })),
    ],
    more: false,
  })
})

it.each([
  ['list', { in: 'Taxes' }, 'Label_1', 'Home/Taxes'],
  ['list', { in: 'home/taxes', unread: true }, 'Label_1 UNREAD', 'Home/Taxes'],
  ['search', { in: 'taxes', words: 'invoice' }, 'Label_1 invoice', 'Home/Taxes'],
  ['search', { in: 'Papierkorb' }, 'TRASH', 'trash'],
  ['search', { in: 'archive' }, '-in:inbox -in:sent -in:drafts', 'archive'],
  ['list', {}, 'INBOX', undefined],
  ['search', { folder: 'sent' }, 'SENT', undefined],
] as const)('%s %j asks for %s', async (action, args, wanted, folder) => {
  const { call, asked } = await gmail()
  expect(outputOf(await call(action, args))).toEqual({
    ...{ emails: [], more: false },
    ...(folder !== undefined && { folder }),
  })
  expect(asked).toEqual([wanted])
})

it.each([
  ['Twice', 'mail_folder_ambiguous'],
  ['None', 'mail_folder_missing'],
  ['Odd', 'mail_folder_missing'],
  ['STARRED', 'mail_folder_missing'],
] as const)('in "%s" nothing is looked for: %s', async (named, code) => {
  const { call, asked } = await gmail()
  for (const action of ['list', 'search'])
    expect(await call(action, { in: named })).toMatchObject(refusal(code))
  expect(asked).toEqual([])
})

it('makes a label in the account that the card named, and in no other', async () => {
  const { call, asked } = await gmail()
  const { place } = outputOf(await call('new_folder', { folder: 'Receipts' }))
  expect(outputOf(await call('new_folder', { folder: 'Receipts' }))).toMatchObject({
    ...{ address: OWNER, name: 'Receipts' },
  })
  expect(await call('make_folder', { folder: 'Receipts', place: 'eve%40x.example' })).toMatchObject(
    refusal('event_changed'),
  )
  expect(asked).toEqual([])
  expect(outputOf(await call('make_folder', { folder: 'Receipts', place: String(place) }))).toEqual({
    name: 'Receipts',
  })
  expect(asked).toEqual(['made {"name":"Receipts"}'])
})

it.each([
  ['home/taxes', 'mail_folder_unfit'],
  ['Home/New', 'mail_folder_unfit'],
  ['Posteingang', 'mail_folder_exists'],
  ['odd', 'mail_folder_exists'],
  ['archive', 'mail_folder_exists'],
])('makes no label "%s": %s', async (folder, code) => {
  const { call, asked } = await gmail()
  for (const action of ['new_folder', 'make_folder'])
    expect(await call(action, { folder })).toMatchObject(refusal(code))
  expect(asked).toEqual([])
})

it.each([
  [{ status: 409 }, 'remote_rejected'],
  [{ status: 503 }, 'write_outcome_unknown'],
])('a label that is answered with %j is not said to be there', async (made, code) => {
  const { call, asked } = await gmail(made)
  expect(await call('make_folder', { folder: 'Receipts' })).toMatchObject(refusal(code))
  expect(asked).toHaveLength(1)
})

it('at an emulated mailbox a label is made, a mail put under it, found there, and counted', async () => {
  const message = { user_email: OWNER, from: 'a@a.example', to: OWNER, subject: 's', body_text: 'invoice' }
  const baseUrl = await startGoogle({ messages: [{ ...message, id: 'm1', label_ids: ['INBOX'] }] })
  const tool = createEmailTool({ baseUrl, htmlText: async () => '' })
  const call = async (action: string, args: { readonly [key: string]: Json }) =>
    outputOf(await callTool(tool, `email.${action}`, args, { exemptOrigins: [baseUrl] }))
  await call('make_folder', { folder: 'Receipts' })
  await call('file', { ids: ['m1'], folder: 'receipts' })
  expect(await call('list', { in: 'receipts' })).toMatchObject({ emails: [{ id: 'm1' }], folder: 'Receipts' })
  expect(await call('search', { in: 'receipts', words: 'invoice' })).toMatchObject({ emails: [{ id: 'm1' }] })
  expect(await call('list', {})).toMatchObject({ emails: [] })
  expect((await call('folders', {}))['folders']).toContainEqual({ name: 'Receipts', mails: 1, unread: 0 })
})
