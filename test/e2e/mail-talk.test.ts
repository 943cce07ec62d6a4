/**
 * Mail talked about in the terminal, with real processes and without a model: rows by their place and their words, whoever wrote one, what was sent, and what is
 * taken back. What leaves goes to the address that its card showed whole.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBench, mailbox, waitFor } from './terminal-bench.ts'

/** Milliseconds to wait for something that happens on its own. */
const SOON_MS = 20_000
const CARD = /May I do this\?[\s\S]*Answer yes or no/
const LIST = /7 mails[\s\S]*Photos from the lake/
/** One was deleted and brought back, and one marked since. */
const LIST_NOW = /\d mails[\s\S]*Photos from the lake/

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

test('a row of the list is read by its place and by its words, with a verb and without one', async () => {
  await type('check my mail', LIST)
  await type('mail 5', /From: Tom Becker/)
  await type('and the fourth one?', /From: The Slow Technology Letter/)
  await type('die zweite', /From: Dr\. Lindqvist/)
  await type('the one from Harbour Hosting', /Invoice 2214[\s\S]*charged/)
  await type('the photos one', /From: Mira/)
})

test('whoever wrote it is answered by a pronoun, and after a card alone', async () => {
  await type('read the one from Sarah', /From: Sarah Chen/)
  const card = await type("let her know the numbers are fine and that I'll send the rest on Tuesday", CARD)
  expect(card).toContain('to: sarah.chen@northwind.example')
  expect(card).toContain("The numbers are fine and that I'll send the rest on Tuesday")
  expect(await sent()).toEqual([])
  await type('yes', /Your reply is sent/)
  expect((await sent())[0]).toContain("The numbers are fine and that I'll send the rest on Tuesday")
})

test('what was sent is read with whom it went to, and a person is then looked for where they are', async () => {
  const read = await type('what did I just send?', /the rest on Tuesday/)
  expect(read).toContain('To: sarah.chen@northwind.example')
  await type("what's in my sent folder?", /1\. to sarah\.chen@northwind\.example: Re: /)
  await type('read the mail from Mira', /Subject: Photos from the lake/)
})

test('somebody who is no contact and wrote what was shown gets mail at the address that the card shows whole', async () => {
  const card = await type('write to Mira that I would love to come', CARD)
  expect(card).toContain('- mira@family.example')
  expect(card).not.toContain('contact of yours')
  await type('no', /did not do it/)
  expect(await sent()).toHaveLength(1)
  await type('read the mail from Mira', /Subject: Photos from the lake/)
  const kept = await type('add her to my contacts', CARD)
  expect(kept).toContain('mira@family.example')
  await type('yes', /Added: 1 contact/)
  await type('write to Mira that I would love to come', /mira@family\.example ⟨Mira, a contact of yours⟩/)
  await type('no', /did not do it/)
})

test('a question about a mail, and a search that finds nothing, leave it what is meant', async () => {
  await type('check my mail', LIST)
  await type('open the third one', /From: Account Services/)
  await type('could this be phishing?', /I cannot judge without a model/)
  await type('any mail about giraffes?', /found no mail|no mail/i)
  const card = await type('delete it', CARD)
  expect(card).toContain('service@secure-mailbox-check.example')
  await type('yes', /In the trash/)
  await type('oh wait no, bring it back', CARD)
  await type('yes', /Moved/)
  await type('star the one from Tom', CARD)
  await type('yes', /Marked/)
})

test('one’s own mail is connected by the command that is named, and no password is asked for in the chat', async () => {
  await type('connect my mail', /pfar connect mail you@example\.com|pfar -- connect mail you@example\.com/)
  await type('how do I connect my own email account?', /connect mail you@example\.com/)
})

test('what waits is listed, what was sent is told from the sent mail, and a pronoun is of the mail shown last', async () => {
  await type('check my mail', LIST_NOW)
  await type('read the one from Tom', /From: Tom Becker/)
  await type('reply: I will be there', CARD)
  await type('did my answer to Tom go out?', /has not gone out: its card waits/)
  expect(await type('is anything still waiting for me?', /Say yes or no/)).toContain('I will be there')
  await type('yes', /Your reply is sent|This waits now[\s\S]*Say yes or no/)
  if (!/Your reply is sent/.test(shown.slice(-200))) await type('yes', /Your reply is sent/)
  const gone = await type('did my answer to Tom go out?', /\d\. to tom/)
  expect(gone).not.toContain('Tom Becker: Offsite')
  expect(await type('who did you write to today?', /1\. to tom/)).toContain('to sarah.chen@northwind.example')
  await type('undo', /What I did last[\s\S]*is nothing that I can take back/)
  await type('gibt es was vom klempner?', /No mail from klempner in your inbox/)
  await type('read the one from Harbour Hosting', /Invoice 2214/)
  await type('who is it from?', /From: Harbour Hosting/)
  await type('that one from the plumber looks odd, what does it say?', /found no such mail among the newest/)
})

test('a moved event is put back where it was, and nothing older is taken back', async () => {
  await type('move the budget review to 15:30', CARD)
  await type('yes', /Changed: Budget review/)
  const back = await type('undo', CARD)
  expect(back).toContain('14:00')
  await type('yes', /Changed: Budget review, [^\n]*14:00–15:00/)
  await type('and when is it exactly?', /Budget review, [^\n]*14:00–15:00/)
  await type('is the budget review in my calendar now?', /14:00–15:00 Budget review/)
})

test('the appointment of a mail is put in the calendar from it, by a card alone, and a day without an hour is all of it', async () => {
  await type('check my mail', LIST_NOW)
  await type('read the one from Lindqvist', /Subject: Reminder: your check-up/)
  const card = await type('put that in my calendar', CARD)
  expect(card).toMatch(
    /title: Reminder: your check-up[\s\S]*starts: Tuesday[^\n]*08:15[\s\S]*ends: Tuesday[^\n]*09:15/,
  )
  expect(card).toContain('next week on Tuesday at 08:15')
  await type('no', /did not do it/)
  await type('trag den Termin aus der Mail von Lindqvist in meinen Kalender ein', CARD)
  await type('yes', /Booked|in your calendar|Added/)
  await type('when is my check-up?', /08:15–09:15 Reminder: your check-up/)
  await type(
    "add the appointment from Sarah's mail to my calendar",
    /starts: .*all day[\s\S]*lunch on Friday[\s\S]*Others wrote: title/,
  )
  await type('no', /Cancelled: I did not do it/)
})
