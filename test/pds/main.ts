/**
 * `npm run soak -- --only pds`: the tool Bluesky against a real server of its protocol, over real sockets: signing in, posts with links, mentions and tags as the
 * server keeps them, wrong and revoked passwords, a server that is down (I-16). Needs `PFAR_PDS` (docs/design/development.md). Exit code 1 where one is wrong.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import { createBlueskyTool } from '../../integrations/tools/bluesky/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { tokenFor } from '../tools/calls.ts'

const HANDLE = 'ada.test'
const PASSWORD = 'hunter2hunter2'
const TEXT = 'Wir öffnen um 9! 🥖 https://example.org/menu @ada.test @nobody.test #brot'

type Row = Record<string, unknown>

let wrong = 0
function expected(what: string, got: unknown, wanted: unknown): void {
  const fits = isDeepStrictEqual(got, wanted)
  if (!fits) wrong += 1
  process.stdout.write(`${fits ? 'ok   ' : 'WRONG'} ${what}${fits ? '' : `: ${JSON.stringify(got)}`}\n`)
}

const child: ChildProcess = fork(join(import.meta.dirname, 'server.ts'), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
const { origin, folder } = await new Promise<{ origin: string; folder: string }>((done, fail) => {
  child.once('message', (message) => done(message as { origin: string; folder: string }))
  child.once('exit', () => fail(new Error('the server did not start: see PFAR_PDS')))
})

/** What an account's owner does in an app of the service. */
async function asked(method: string, body: object, session = ''): Promise<Row> {
  const headers = {
    'content-type': 'application/json',
    ...(session !== '' && { authorization: `Bearer ${session}` }),
  }
  const answer = await fetch(`${origin}/xrpc/${method}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return answer.json().catch(() => ({})) as Promise<Row>
}
const account = { handle: HANDLE, email: 'ada@example.org', password: PASSWORD }
const session = String((await asked('com.atproto.server.createAccount', account))['accessJwt'])
const made = await asked('com.atproto.server.createAppPassword', { name: 'pfar' }, session)
const login = `${HANDLE}:${String(made['password'])}`

const transport = createPinnedTransport()
const tool = createBlueskyTool({ baseUrl: origin })
const http = () => createScopedHttp({ hosts: tool.manifest.network, exemptOrigins: [origin], transport })
const call = async (action: string, args: { readonly [key: string]: Json }, value = login) => {
  const given = { credential: { scheme: 'bearer', value } as const, http: http() }
  const capability = { ...tokenFor(action) }
  return tool.execute({ action: `bluesky.${action}`, args, capability, ...given })
}
const codeOf = (result: { readonly ok: boolean; readonly reason?: { readonly code: string } }) =>
  result.ok ? 'ok' : result.reason?.code
const check = async (value: string) => tool.check?.({ credential: { scheme: 'bearer', value }, http: http() })

expected('the account that an app password is for', await check(login), { ok: true, value: HANDLE })
expected(
  'a wrong app password',
  codeOf((await check(`${HANDLE}:aaaa-bbbb-cccc-dddd`)) ?? { ok: true }),
  'remote_unauthorized',
)

const posted = await call('create_post', { text: TEXT })
const uri = posted.ok ? String((posted.output as Row)['post']) : ''
const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
const kept = await fetch(
  `${origin}/xrpc/com.atproto.repo.getRecord?${new URLSearchParams({ repo, collection, rkey })}`,
)
const record = ((await kept.json()) as { value?: Row }).value ?? {}
expected('a post is kept with its very text', record['text'], TEXT)
const bytes = Buffer.from(TEXT)
const marks = (
  (record['facets'] ?? []) as { index: { byteStart: number; byteEnd: number }; features: Row[] }[]
).map(({ index, features: [feature] }) => [
  String(feature?.['$type']).split('#')[1],
  bytes.subarray(index.byteStart, index.byteEnd).toString(),
  feature?.['uri'] ?? feature?.['did'] ?? feature?.['tag'],
])
expected('its link, the account that there is, and its tag are marked where they stand', marks, [
  ['link', 'https://example.org/menu', 'https://example.org/menu'],
  ['mention', '@ada.test', repo],
  ['tag', '#brot', 'brot'],
])
expected(
  'a post of 301 characters is refused unsent',
  codeOf(await call('create_post', { text: 'a'.repeat(301) })),
  'tool_arguments_invalid',
)
// Nothing but the server itself is here: what only a service of the network knows has no answer.
expected('a timeline without the service that makes it', (await call('timeline', {})).ok, false)

await asked('com.atproto.server.revokeAppPassword', { name: 'pfar' }, session)
expected(
  'an app password that was taken back',
  codeOf(await call('create_post', { text: 'x' })),
  'remote_unauthorized',
)
const gone = new Promise((done) => child.once('exit', done))
child.kill()
await gone
expected('a server that is down', codeOf(await call('timeline', {})), 'network_failed')

await transport.close()
rmSync(folder, { recursive: true, force: true })
process.exitCode = wrong === 0 ? 0 : 1
