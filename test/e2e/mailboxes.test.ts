/**
 * Two mailboxes of one owner at a home without a model, each at a real Dovecot and a real SMTP server of its own: both are listed and said whose they are, one
 * is looked into by the owner's word for it, an answer goes from where the mail is, and one that is down leaves the other (I-12).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { HAS_DOVECOT, OWNER, putMail } from '../kit/mail-servers.ts'
import { cardAt, connectMail, connectMailbox, type MailServers } from './mail-bench.ts'
import { createBench } from './terminal-bench.ts'

const WORK = 'ada@acme.test'

// Without Debian's dovecot-imapd there is no server to be at.
describe.runIf(HAS_DOVECOT)('two mailboxes', () => {
  const clock = createTestClock({ at: Date.now() })
  const bench = createBench({ env: { ...clock.env, TZ: 'UTC' } })
  let first: MailServers
  let work: MailServers

  beforeAll(async () => {
    first = await connectMail(bench)
    await bench.stop()
    work = await connectMailbox(bench, WORK, '--account', 'work')
    await bench.start('--no-demo', '--only', 'home')
    // The first look makes the mailboxes.
    await reply('check my email')
    putMail(first.dovecot, '1', ['From: Anna <anna@a.example>', 'Subject: Garden'], 'The roses.', OWNER)
    putMail(work.dovecot, '2', ['From: Boris <boris@b.example>', 'Subject: Budget'], 'The numbers.', WORK)
  })
  afterAll(async () => {
    await bench.stop()
    await bench.remove()
    clock.remove()
  })

  const reply = async (text: string): Promise<string> => String((await bench.ask(text)).report.reply)

  test('both are listed, and each mail says whose it is', async () => {
    const all = await reply('check my email')
    expect(all).toMatch(/Anna: Garden \(example, /)
    expect(all).toMatch(/Boris: Budget \(work, /)
    expect(await reply('how many unread mails do I have?')).toContain('2')
  })

  test('one is looked into by its name, by other words for it, and in German', async () => {
    for (const text of [
      'any mail on my work account?',
      'show my office inbox',
      'zeig mir meine Arbeitsmails',
    ]) {
      const own = await reply(text)
      expect(own).toContain('Boris: Budget (')
      expect(own).not.toMatch(/Anna|\(work, /)
    }
    const found = await reply('search my work mail for budget')
    expect(found).toContain('Boris: Budget')
    expect(await reply('search my work mail for roses')).not.toContain('Garden')
  })

  test('an answer goes from where the mail is, and the card says from which address', async () => {
    const { number, card } = await cardAt(bench, 'reply to Boris: fine with me')
    expect(card).toMatch(/goes out as: ada@acme\.test/)
    await bench.pfar('approve', number)
    await expect.poll(() => work.smtp.received.length).toBe(1)
    expect(work.smtp.received[0]).toMatchObject({ from: WORK, to: ['boris@b.example'] })
    expect(work.smtp.received[0]?.text).toMatch(/^From: ada@acme\.test$/m)
    expect(first.smtp.received).toEqual([])
  })

  test('a new mail goes from the first, and from the other where the owner says so', async () => {
    const usual = await cardAt(bench, 'email tom@x.example: hello there')
    expect(usual.card).toMatch(/goes out as: owner@example\.test/)
    await bench.pfar('approve', usual.number)
    await expect.poll(() => first.smtp.received.length).toBe(1)
    const other = await cardAt(bench, 'email tom@x.example from my work account: hello again')
    expect(other.card).toMatch(/goes out as: ada@acme\.test/)
    await bench.pfar('approve', other.number)
    await expect.poll(() => work.smtp.received.length).toBe(2)
    expect(first.smtp.received).toHaveLength(1)
  })

  test('mails of both are put away with one request, each in its own mailbox', async () => {
    putMail(first.dovecot, '3', ['From: News <n@n.example>', 'Subject: Offer one'], 'Buy.', OWNER)
    putMail(work.dovecot, '4', ['From: News <n@n.example>', 'Subject: Offer two'], 'Buy.', WORK)
    const listed = await reply('check my email')
    expect(listed).toContain('Offer one')
    const { report } = await bench.ask('archive all mails from News')
    if (report.task.state === 'awaiting_approval') {
      const { number } = JSON.parse((await bench.pfar('approvals', '--json')).out).at(-1)
      await bench.pfar('approve', String(number))
    }
    const after = await reply('check my email')
    expect(after).not.toMatch(/Offer (?:one|two)/)
    expect(after).toContain('Boris: Budget')
  })

  test('new mail of either is noticed at once while the email check is on, and a lost one is said', async () => {
    const status = async () => JSON.parse((await bench.pfar('status', '--json')).out).home.mail
    await bench.ask('check my mail every 60 minutes')
    const number = String(JSON.parse((await bench.pfar('approvals', '--json')).out).at(-1).number)
    await bench.pfar('approve', number)
    await expect.poll(status, { timeout: 40_000 }).toBe('new mail is noticed at once')
    // What is unread already is told by the first run, which is an hour away.
    putMail(work.dovecot, '5', ['From: Cleo <cleo@c.example>', 'Subject: Rota'], 'Shifts.', WORK)
    const runs = async () => (await bench.ask('/jobruns email check')).report.reply ?? ''
    await expect.poll(runs, { timeout: 30_000 }).toMatch(/: sent/)
  })

  test('the password of one is taken away by its own name, and the settings of the first are as they were', async () => {
    expect(await reply('disconnect mail')).toMatch(/Mail \(work\): pfar secret delete mail-work/)
    const config = readFileSync(join(bench.folder, 'config.toml'), 'utf8')
    expect(config).toMatch(/\[tools\.mail\]\naddress = "owner@example\.test"/)
    expect(config).toMatch(/\[\[tools\.mail\.accounts\]\]\naccount = "work"/)
  })

  test('one that is down is said by its name, and the other one is answered', async () => {
    await work.dovecot.stop()
    const all = await reply('check my email')
    expect(all).toContain('Anna: Garden')
    expect(all).toContain('I could not reach this mailbox, so its mail is missing here: work.')
    expect(await reply('show my work inbox')).not.toContain('Garden')
    const status = async () => JSON.parse((await bench.pfar('status', '--json')).out).home.mail
    await expect.poll(status, { timeout: 40_000 }).toContain('the connection is lost')
  })
})
