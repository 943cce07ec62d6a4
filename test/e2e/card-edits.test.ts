/**
 * A card that waits, changed by what is typed next in the terminal, with real processes and without a model: what leaves is what the last
 * card showed, and what was not changed is said.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendarEvents, createBench, mailbox, waitFor } from './terminal-bench.ts'

/** Milliseconds to wait for something that happens on its own. */
const SOON_MS = 20_000

const bench = createBench()
let chat: ChildProcess
let shown = ''

/** Types one line, and waits for what is printed after it. */
async function type(line: string, answer: RegExp): Promise<string> {
  const from = shown.length
  chat.stdin?.write(`${line}\n`)
  await waitFor(() => answer.test(shown.slice(from)), SOON_MS).catch(() => {
    throw new Error(`to "${line}": ${shown.slice(from)}`)
  })
  return shown.slice(from)
}

beforeAll(async () => {
  await bench.start()
  chat = spawn(process.execPath, ['scripts/pfar.mjs', 'chat'], {
    env: { ...process.env, PFAR_HOME: bench.folder, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  chat.stdout?.on('data', (chunk: Buffer) => (shown += chunk))
})
afterAll(async () => {
  const gone = once(chat, 'exit')
  chat.stdin?.end()
  await gone
  await bench.remove()
})

const sent = async (): Promise<readonly string[]> =>
  (await mailbox(bench.folder))
    .filter(({ labelIds }) => labelIds.includes('SENT'))
    .map((mail) => {
      const json = JSON.stringify(mail)
      const bodies = [...json.matchAll(/"data":"([\w-]+=*)"/g)].map(([, data = '']) =>
        Buffer.from(data, 'base64url').toString(),
      )
      return [json, ...bodies].join('\n')
    })

test('an answer to a mail goes out with the words that were put on its card, and no others', async () => {
  await type('reply to Sarah: the numbers are fine', /May I do this\?[\s\S]*Answer yes or no/)
  const card = await type('edit: Hi Sarah, all good. Best, Nora', /May I do this\?[\s\S]*Answer yes or no/)
  expect(card).toContain('Hi Sarah, all good. Best, Nora')
  expect(card).not.toContain('Several approvals')
  await type('yes', /Your reply is sent/)
  const replies = await sent()
  expect(replies).toHaveLength(1)
  expect(replies[0]).toContain('Hi Sarah, all good. Best, Nora')
  expect(replies[0]).not.toContain('numbers are fine')
})

test('after another message, with its number, and for another text of it', async () => {
  await type('write to mira@family.example: see you on sunday', /May I do this\?[\s\S]*Answer yes or no/)
  await type('when am I free on Friday?', /free/)
  const body = await type('edit: Can you look after the dog?', /May I do this\?[\s\S]*Answer yes or no/)
  expect(body).toContain('Can you look after the dog?')
  const [waits] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  const subject = await type(
    `edit ${waits.number} subject: The dog`,
    /May I do this\?[\s\S]*Answer yes or no/,
  )
  expect(subject).toMatch(/The dog[\s\S]*Can you look after the dog\?/)
  await type('edit 999: never', /I have not changed it/)
  await bench.pfar('deny', 'all')
})

test('words of it are corrected by what is said next, and what is said of nothing in it leaves it', async () => {
  const card = /May I do this\?[\s\S]*Answer yes or no/
  await type('write to mira@family.example: thanks, see you on sunday', card)
  expect(await type('wait, change sunday to Monday', card)).toContain('see you on Monday')
  expect(await type('actually, without the thanks', card)).not.toMatch(/thanks/i)
  expect(await type('and sign it Nora from Petals', card)).toMatch(
    /see you on Monday[\s\S]*Nora from Petals/i,
  )
  await type('say Friday instead of Thursday', /those words do not stand in its text/)
  await type('what about the gizmo thing then', /This still waits for your answer: Send this mail/)
  const [waits] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  await type(`yes ${waits.number}`, /Sent to mira/)
  expect((await sent()).filter((mail) => mail.includes('Nora from Petals'))).toHaveLength(1)
})

test('an event that waits is moved, and its title stays', async () => {
  await type('book coffee with Joost on Friday at 20:00', /May I do this\?[\s\S]*Answer yes or no/)
  const later = await type('edit: half an hour later', /May I do this\?[\s\S]*Answer yes or no/)
  expect(later).toMatch(/title: Coffee with Joost[\s\S]*20:30/)
  const seven = await type('at 9pm instead', /May I do this\?[\s\S]*Answer yes or no/)
  expect(seven).toMatch(/title: Coffee with Joost[\s\S]*21:00/)
  await type('yes to all', /each card needs a yes of its own/)
  const [waits] = JSON.parse((await bench.pfar('approvals', '--json')).out)
  await type(`yes ${waits.number}`, /Booked: Coffee with Joost/)
  const events = (await calendarEvents(bench.folder)).filter(({ summary }) =>
    /Coffee with Joost/.test(summary),
  )
  expect(events).toHaveLength(1)
})

test('by `pfar ask` too, whose reply is the new card', async () => {
  await bench.pfar('ask', 'book tea with Joost on Friday at 21:30')
  expect((await bench.pfar('ask', 'edit: Cake with Joost')).out).toContain('title: Cake with Joost')
  await bench.pfar('deny', 'all')
})
