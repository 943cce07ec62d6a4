/**
 * Web services that their owner names at a home that runs: a host with a key and a request are put on a card and known at once; the key is asked for when it is
 * first needed, kept by home, and sent in its header to that host alone. One on the owner's own network is named from the terminal alone (I-21, L-12).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { sendJson, serve } from '../kit/server.ts'
import { rowsOf } from '../regression/home/rows.ts'
import { SOON } from './chaos-bench.ts'
import { onTerminal } from './keys-bench.ts'
import { serviceKey } from './restore-bench.ts'
import { createBench } from './terminal-bench.ts'

const KEY = 'kestrel-4711-abcdefghijk'
const OTHER_KEY = 'osprey-0815-abcdefghijk'
const NEXT = 'kestrel-4712-abcdefghijk'

let takes = KEY
const got: string[] = []
const elsewhere: string[] = []
const other = await serve(({ headers, url = '' }, response) => {
  elsewhere.push(`${url} ${String(headers['x-api-key'])} ${String(headers.authorization)}`)
  sendJson(response, { open: true })
})
const service = await serve(({ url = '', method = '', headers }, response, body) => {
  const key = headers['x-api-key']
  got.push(`${method} ${url} ${String(key)} ${String(headers.authorization)} ${body}`)
  if (url === '/open') return sendJson(response, { temperature: 21.5 })
  if (url === '/away') return response.writeHead(302, { location: `${other.origin}/stolen` }).end()
  if (url === '/turn') return response.writeHead(302, { location: '/turned' }).end()
  if (key !== takes) return sendJson(response, { error: `no entry with ${String(key)}` }, 401)
  return sendJson(response, { temperature: 19.5, door: 'OPEN', echo: key })
})
// No development key: secrets are taken.
const masterKey = serviceKey()
const bench = createBench()
const name = `http/plain/127.0.0.1/${new URL(service.origin).port}`

afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await Promise.all([service.close(), other.close()])
})
beforeAll(() => {
  masterKey.put(bench.folder)
  return bench.start('--no-demo', '--only', 'home')
}, 120_000)

const reply = async (words: string): Promise<string> => (await bench.ask(words)).report.reply ?? ''
/** Asked for at the terminal, where its card comes, and agreed to. Returns the card. */
async function agreed(...args: string[]): Promise<string> {
  const asked = await bench.pfar(...args, '--json')
  const { approval } = JSON.parse(asked.out) as { readonly approval: string }
  const { out } = await bench.pfar('approvals')
  expect(await bench.pfar('approve', approval)).toMatchObject({ code: 0 })
  return out
}
const named = (...args: string[]): Promise<string> => agreed('webservices', ...args)
const onDisk = (text: string): string =>
  execFileSync('sh', ['-c', `grep -rlF -- '${text}' '${bench.folder}' || true`], { encoding: 'utf8' })

test('by talking, nothing of the own network is named: it is said which command of the terminal does it', async () => {
  const request = `save the request ${service.origin}/open as office-temp`
  expect(await reply(request)).toContain('`pfar http save`')
  expect(await reply(`the host ${service.origin} needs a key`)).toContain('`pfar http allow`')
  expect(await reply('yes')).not.toContain(service.origin)
  expect(await reply('show me my web services')).not.toContain('127.0.0.1')
})

test('a public host is named by talking, once its card is agreed to', async () => {
  const card = await reply('allow the host api.example.com as internal with a key in the header X-Api-Key')
  expect(card).toContain('with every request to https://api.example.com and to no other')
  await reply('yes')
  expect(await reply('which hosts did I name?')).toContain('https://api.example.com: internal')
  expect(await reply('forget the host api.example.com')).toContain('Forgotten')
  expect(await reply('/undo')).toContain('https://api.example.com')
  await reply('no')
})

test('a request is named at the terminal, once its card is agreed to, and asked for without a restart', async () => {
  const card = await named('save', 'office-temp', `${service.origin}/open`, 'temperature:number')
  for (const part of [`GET ${service.origin}/open`, '"office temp"', '- temperature:number', 'sensitive'])
    expect(card).toContain(part)
  expect(await reply('office temp?')).toBe('office temp:\n- temperature: 21.5')
  expect(got).toEqual(['GET /open undefined undefined '])
})

test('what was saved is taken back by a word, and put to them again by another', async () => {
  expect(await reply('/undo')).toMatch(/undone|Undone|Forgotten|taken back/i)
  expect(await reply('office temp?')).not.toContain('21.5')
  expect(await reply('/undo')).toContain('`pfar http save`')
  expect(await agreed('undo')).toContain(`GET ${service.origin}/open`)
  expect(await reply('office temp?')).toContain('21.5')
})

test('a service that wants a key is named with one, which is asked for when it is needed, and goes to it alone', async () => {
  expect(await reply(`call ${service.origin}/locked`)).toContain('`pfar http allow`')
  await named('allow', service.origin)
  const before = await reply(`call ${service.origin}/locked`)
  expect(before).toContain('needs a key')
  const card = await named('allow', service.origin, '--key', 'X-Api-Key')
  expect(card).toContain(`takes the place of what has that name now: ${service.origin}, sensitive.`)
  expect(card).toContain(`in the header X-Api-Key, with every request to ${service.origin} and to no other`)
  const asks = await reply(`call ${service.origin}/locked`)
  expect(asks).toContain(`pfar connect ${name}`)
  got.length = 0
  expect(await reply(KEY)).toContain('before anything read or kept it')
  await until(() => got.length > 0, SOON)
  expect(got).toEqual([`GET /locked ${KEY} undefined `])
  const said = await reply(`call ${service.origin}/locked`)
  expect(said).toContain('"temperature":19.5')
  // A service that sends it back does not bring it into an answer.
  expect(said).not.toContain(KEY)
})

test('no redirect gets the key, whether it leaves the host or stays there', async () => {
  // A host that may be asked, so that nothing but the key keeps the redirect from it; named at the terminal beside a home that runs.
  const allowed = await bench.pfar('http', 'allow', other.origin)
  expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('Home knows it now') })
  got.length = 0
  expect(await reply(`call ${service.origin}/away`)).toContain('sent me on to another')
  expect(await reply(`call ${service.origin}/turn`)).toContain('sent me on to another')
  expect(got.map((one) => one.split(' ')[1])).toEqual(['/away', '/turn'])
  expect(elsewhere).toEqual([])
})

test('a card of what is sent there says that the key goes along, and a yes holds for the form that it named', async () => {
  const send = `HTTP POST to ${service.origin}/door with body {"open": true}`
  got.length = 0
  expect(await reply(send)).toContain(`Your key for ${service.origin} goes along, in the header x-api-key.`)
  const [waiting] = JSON.parse((await bench.pfar('approvals', '--json')).out) as { readonly id: string }[]
  await named('allow', service.origin, '--key', 'X-Other')
  expect(await bench.pfar('approve', waiting?.id ?? '')).toMatchObject({ code: 0 })
  expect(await reply(send)).toContain('in the header x-other.')
  expect(await reply('no')).not.toContain('Sent')
  await named('allow', service.origin, '--key', 'X-Api-Key')
  expect(got).toEqual([])
  expect(await reply(send)).toContain('in the header x-api-key.')
  expect(await reply('yes')).toContain('Sent')
  expect(got).toEqual([`POST /door ${KEY} undefined {"open": true}`])
})

test('a saved request of that host has the key, and one to another host has not', async () => {
  await named('save', 'server-room', `${service.origin}/room`, 'temperature:number')
  expect(await reply('server room?')).toBe('server room:\n- temperature: 19.5')
  expect(await reply(`call ${other.origin}/plain`)).toContain('"open":true')
  expect(elsewhere).toEqual(['/plain undefined undefined'])
})

test('a name that is taken is said to be, with all that it stands for, and so is a key that is sent in another way', async () => {
  const request = await named(
    'save',
    'server-room',
    `${service.origin}/room`,
    'temperature:number',
    'door:text',
  )
  expect(request).toContain(
    `takes the place of what has that name now: GET ${service.origin}/room, sensitive, temperature:number.`,
  )
  const host = await named('allow', service.origin, '--key', 'X-Other')
  expect(host).toContain('I then send it in the header X-Other')
  expect(host).toContain(`now: ${service.origin}, sensitive, in the header X-Api-Key.`)
  await named('allow', service.origin, '--key', 'X-Api-Key')
  await named('save', 'server-room', `${service.origin}/room`, 'temperature:number')
})

test('a key that is taken no more is said in words, and another one takes its place', async () => {
  takes = NEXT
  const said = await reply('server room?')
  expect(said).toContain('does not take the key')
  const ran = execFileSync(process.execPath, ['scripts/pfar.mjs', 'secret', 'rotate', name], {
    env: { ...process.env, PFAR_HOME: bench.folder, NO_COLOR: '1' },
    input: NEXT,
    encoding: 'utf8',
  })
  expect(ran).not.toContain(NEXT)
  expect(await reply('server room?')).toContain('19.5')
})

test('at a terminal a host is named with its key’s form, and the key is typed without echo', async () => {
  const named = await bench.pfar('http', 'allow', other.origin, '--key', 'key')
  const service = /pfar connect (\S+)/.exec(named.out)?.[1] ?? ''
  expect(service).toBe(`http/plain/127.0.0.1/${new URL(other.origin).port}`)
  const ran = onTerminal(`scripts/pfar.mjs connect ${service}`, { ...process.env, PFAR_HOME: bench.folder }, [
    [new RegExp(`Credential for ${service}: $`), OTHER_KEY],
  ])
  await ran.ended
  expect(ran.shown()).toContain('is connected')
  expect(ran.shown()).not.toContain(OTHER_KEY)
  elsewhere.length = 0
  expect(await reply(`call ${other.origin}/plain`)).toContain('"open":true')
  expect(elsewhere).toEqual([`/plain undefined Bearer ${OTHER_KEY}`])
})

test('the key stands in no file, no list and no page of what was done', async () => {
  expect(onDisk(KEY) + onDisk(NEXT) + onDisk(OTHER_KEY)).toBe('')
  const listed = await reply('show me my web services')
  expect(listed).toContain(`${service.origin}: sensitive, with a key in the header X-Api-Key`)
  expect(listed).not.toContain('kestrel')
})

test('no row of what was done names a host that has a key', () => {
  const rows = rowsOf(bench.folder, 'audit').map(({ kind, facts }) => `${kind} ${facts}`)
  expect(rows.some((row) => row.startsWith('credential_issued'))).toBe(true)
  expect(rows.some((row) => row.includes('approval_asked') && row.includes('credential'))).toBe(true)
  const hosts = [service, other].map(({ origin }) => new URL(origin).port)
  expect(
    rows.filter((row) => hosts.some((port) => row.includes(`/${port}`) || row.includes(`:${port}`))),
  ).toEqual([])
})

test('what its owner wrote into config.toml by hand is said to be theirs, before any card', async () => {
  const path = join(bench.folder, 'config.toml')
  const line = `[[tools.http.hosts]]\nlabel = "public"   # mine\norigin = "https://hand.example.com"\n`
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${line}`)
  await bench.pfar('http', 'remove', 'office-temp')
  expect(await reply('which hosts did I name?')).toContain('https://hand.example.com: public')
  expect(await reply('allow the host hand.example.com as internal')).toMatch(
    /config\.toml has it in other words/,
  )
  expect(await reply('forget the host hand.example.com')).toMatch(/take it out there/)
  expect(readFileSync(path, 'utf8')).toContain(line)
})

test('a host that is forgotten gets nothing any more, and what is left of its key is said', async () => {
  const said = await reply(`forget the host ${service.origin}`)
  expect(said).toContain(`pfar secret delete ${name}`)
  got.length = 0
  await reply('server room?')
  expect(got).toEqual(['GET /room undefined undefined '])
})

test('what was forgotten is put to them again by /undo when home has started anew', async () => {
  await bench.stop()
  await bench.start('--no-demo', '--only', 'home')
  expect(await reply('/undo')).toContain('`pfar http allow`')
  expect(await agreed('undo')).toContain(`in the header X-Api-Key, with every request to ${service.origin}`)
  expect(await reply('server room?')).toContain('19.5')
}, 120_000)
