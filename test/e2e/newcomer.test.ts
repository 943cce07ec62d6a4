/**
 * A newcomer's first minutes, in an empty state folder: `pfar init` by answers alone, with mail at a real Dovecot and SMTP server
 * and a model by its address and key, then `npm start` with its chat, mail read, one answered after a card, and the way to
 * another mailbox. `PFAR_TRANSCRIPT` names a file for each step with its seconds.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import {
  type Dovecot,
  HAS_DOVECOT,
  newCertificate,
  OWNER,
  PASSWORD,
  putMail,
  type Smtp,
  startDovecot,
  startSmtp,
} from '../kit/mail-servers.ts'
import { sendJson, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { filesIn } from '../regression/files.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'

const KEY = 'sk-of-the-newcomer-0123456789'
const PASSPHRASE = 'four words nobody says'
/** Milliseconds to wait for what a person waits for. */
const SOON = 60_000

/** What the model writes of a prompt that has these words, the first that fits; it plans nothing. */
const WRITES: readonly (readonly [string, string])[] = [
  ['with pleasure', 'Your reply to Sarah Chen was sent.'],
  ['bring a cake', 'Sarah Chen wrote, and asks: “Can you bring a cake on Saturday?”'],
  ['any new mail?', 'There is no new mail.'],
  ['', 'PFAR'],
]

/** A server with OpenAI's interface, which takes this key alone. */
const startModel = async () =>
  closing(
    await serve((request, response, body) => {
      if (request.headers.authorization !== `Bearer ${KEY}`) return sendJson(response, { error: {} }, 401)
      if (request.method === 'GET') return sendJson(response, { data: [{ id: 'small', created: 1_000 }] })
      const [, content] = WRITES.find(([words]) => body.includes(words)) ?? []
      const pieces = [
        { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ].map((piece) => JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...piece }))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end([...pieces, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
    }),
  )

const transcript: string[] = []
let begun = 0

/** Runs a step, and notes how long it took and what it says of its end. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const at = performance.now()
  const done = await work()
  const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1)
  transcript.push(`# ${name}: ${seconds(at)} s, ${seconds(begun)} s since the start`)
  return done
}

afterAll(() => {
  if ('PFAR_TRANSCRIPT' in process.env)
    writeFileSync(process.env['PFAR_TRANSCRIPT'] ?? '', transcript.join('\n'))
})

// Without Debian's dovecot-imapd there is no server to be at.
describe.runIf(HAS_DOVECOT)('a newcomer with own mail', () => {
  const home = join(newFolder('newcomer'), 'state')
  const environment = {
    ...{ PFAR_HOME: home, PFAR_UNITS: join(home, '../units'), NO_COLOR: '1', TZ: 'UTC' },
    ...{ LC_ALL: '', LC_MESSAGES: '', LANG: 'C.UTF-8' },
  }
  let dovecot: Dovecot
  let smtp: Smtp
  let model = ''

  beforeAll(async () => {
    const certificate = newCertificate()
    ;[dovecot, smtp] = [await startDovecot(certificate), await startSmtp(certificate)]
    model = `${(await startModel()).origin}/v1`
  })

  const pfar = (command: string, answers: readonly (readonly [RegExp, string])[]): OnTerminal =>
    onTerminal(`scripts/pfar.mjs ${command}`, environment, answers)

  const unlocking: readonly [RegExp, string] = [
    /(?:characters or more|Passphrase[^\n]*|The same again): $/,
    PASSPHRASE,
  ]

  test('from an empty folder to an answered mail, by answers alone', async () => {
    begun = performance.now()
    await step('init: name, place, master key, model, mail', async () => {
      const ran = pfar('init --ollama http://127.0.0.1:1', [
        [/should I call you\?[\s\S]*\] > $/, 'Ada'],
        [/Where are you\?[\s\S]*\] > $/, 'Berlin'],
        [/should your data be locked\?[\s\S]*\] > $/, 'passphrase'],
        unlocking,
        [/Which model shall understand[\s\S]*\] > $/, model],
        [/Key for [^\n]*: $/, KEY],
        [/mail address is yours\?[\s\S]*\] > $/, OWNER],
        [/\(IMAP\), such as \S+\? $/, `localhost:${dovecot.port}`],
        [/\(SMTP\), such as \S+\? $/, `localhost:${smtp.port}`],
        [/own network[\s\S]*Enter: $/, '127.0.0.1'],
        [/the same\? \(yes, no\) $/, 'yes'],
        [new RegExp(`Password for ${OWNER}: $`), PASSWORD],
        [/\] > $/, ''],
      ])
      const late = setTimeout(() => ran.child.kill('SIGKILL'), 2 * SOON)
      const code = await ran.ended
      clearTimeout(late)
      expect(code, ran.shown()).toBe(0)
      expect(ran.shown()).toMatch(/names +you are Ada, I am PFAR/)
      expect(ran.shown()).toMatch(/It answers: PFAR/)
      expect(ran.shown()).toMatch(/mail +owner@example\.test/)
      expect(ran.shown()).toMatch(/Start it: +npm start/)
    })

    expect(readFileSync(join(home, 'config.toml'), 'utf8')).toContain('key = "vault:own"')
    await step('the same model as one of a company, and what that may read', async () => {
      const ran = pfar(`model add ${model} --cloud --name company`, [
        unlocking,
        [/Key for [^\n]*: $/, KEY],
        [/allow exactly this: $/, 'yes'],
      ])
      expect(await ran.ended, ran.shown()).toBe(0)
      expect(ran.shown()).toMatch(/It answers: PFAR/)
      expect(ran.shown()).toMatch(/may read your private line, for a year/)
    })

    const chat = onTerminal('scripts/start.js --port 0 --only home', environment, [unlocking])
    await step('npm start, up to the first line of the chat', () =>
      until(() => /> $/.test(screen(chat)), SOON),
    )
    const says = (words: string, expected: RegExp): Promise<string> =>
      step(`"${words}"`, async () => {
        const from = chat.shown().length
        chat.child.stdin?.write(`${words}\r`)
        const said = () => screen(chat, from)
        await until(() => expected.test(said()), SOON / 3).catch(() => {
          throw new Error(`nothing that fits ${expected}:\n${said()}`)
        })
        transcript.push(...said().trim().split(/\r?\n/))
        return said()
      })

    // The first look makes the folders of the mailbox.
    await says('any new mail?', /no [^\n]*mail[\s\S]*> $/i)
    const sarah = ['From: Sarah Chen <sarah@s.example>', 'Subject: Saturday']
    putMail(dovecot, '1', sarah, 'Hi Ada. Can you bring a cake on Saturday?')
    putMail(dovecot, '2', ['From: Shop <shop@s.example>', 'Subject: Sale', 'List-Id: <s.example>'], 'Buy.')
    const news = await says('any new mail?', /Sarah Chen wrote[\s\S]*email\.list[\s\S]*> $/)
    expect(news).not.toContain('demo')
    const asks = await says('which mails do I have to answer?', /bring a cake[\s\S]*> $/)
    expect(asks).not.toMatch(/\d\. Shop/)
    const card = await says('reply to Sarah: yes, with pleasure', /May I do this\?[\s\S]*> $/)
    expect(card).toContain('sarah@s.example')
    expect(smtp.received).toEqual([])
    await says('yes', /sent[\s\S]*> $/i)
    await until(() => smtp.received.length === 1, SOON)
    expect(smtp.received[0]?.to).toEqual(['sarah@s.example'])
    expect(smtp.received[0]?.text).toMatch(/with pleasure/)

    // What can be done in a chat, and what only at the terminal.
    expect(await says('connect my mail', /pfar connect mail[\s\S]*> $/)).not.toContain('did not understand')
    expect(await says('verbinde meine Mail', /pfar connect mail[\s\S]*> $/)).not.toContain(
      'did not understand',
    )
    chat.child.stdin?.write('\u0003\u0003')
    await chat.ended
    for (const file of filesIn(home)) {
      const text = readFileSync(join(home, file), 'latin1')
      for (const secret of [KEY, PASSWORD, PASSPHRASE]) expect(text.includes(secret), file).toBe(false)
    }
  }, 300_000)
})

/** What stands there, without moves of the cursor. */
const screen = (terminal: OnTerminal, from = 0): string =>
  terminal
    .shown()
    .slice(from)
    .replaceAll(new RegExp(`${'\u001b'}\\[[0-9;?]*[A-Za-z]`, 'g'), '')
