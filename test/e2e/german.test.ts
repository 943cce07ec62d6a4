/**
 * A day in German, from outside: the language is settled by a first message in it, else chosen by talking, and calendar, mail, a reminder, a card with its date, a job and the help are
 * in it; it outlives a restart, the edge follows, and /undo brings English back (decision 023).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calendarEvents, createBench, waitFor } from './terminal-bench.ts'

/** Milliseconds to wait for something that happens on its own. */
const SOON_MS = 20_000

const bench = createBench()
beforeAll(() => bench.start())
afterAll(() => bench.remove())

const reply = async (text: string, ...args: readonly string[]): Promise<string> =>
  (await bench.ask(text, ...args)).report.reply ?? ''
const GERMAN_DAY = /(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag), \d{1,2}\. \p{L}+/u

test('after a first message in English three in German are answered in English, and the third offers German, once', async () => {
  expect(await reply('what is on my calendar tomorrow?')).toContain('(tomorrow)')
  expect(await reply('was steht morgen an?')).not.toContain('Deutsch')
  expect(await reply('erinnere mich bitte morgen um 8 an die Mülltonne')).not.toContain('Deutsch')
  expect(await reply('was ist heute mit meinen Mails, gibt es neue für mich?')).toContain('sprich Deutsch')
  expect(await reply('was ist heute mit meinen Mails, gibt es neue für mich?')).not.toContain(
    'sprich Deutsch',
  )
})

test('it is set by talking, taken back by /undo, and refused for what nobody here speaks', async () => {
  expect(await reply('which language do you speak')).toBe('I answer in English. There are: English, Deutsch.')
  expect(await reply('sprich Deutsch')).toMatch(/^Ab jetzt antworte ich auf Deutsch\./)
  expect(await reply('/undo')).not.toMatch(/Rückgängig/)
  expect(await reply('which language do you speak')).toMatch(/^I answer in English/)
  expect(await reply('set language to German')).toMatch(/^Ab jetzt antworte ich auf Deutsch\./)
  expect(await reply('Hilfe')).toMatch(/^Verbunden: Demo-/m)
  expect(await reply('/language Klingonisch')).toMatch(/Diese Sprache spreche ich nicht/)
})

test('calendar, mail and a reminder', async () => {
  expect(await reply('was steht morgen an?')).toMatch(
    new RegExp(`^${GERMAN_DAY.source} \\(morgen\\):\\n- `, 'u'),
  )
  expect(await reply('prüfe meine Mails')).toMatch(/ungelesen|Mails/)
  const set = await reply('erinnere mich morgen um 9 an das Paket')
  expect(set).toMatch(/^Ich erinnere dich.*morgen, 09:00/)
  expect(await reply('what is on my calendar tomorrow?')).toContain('(morgen)')
})

test('a card names the day in German, and a German yes does it once', async () => {
  const card = (await bench.pfar('ask', 'trag am Freitag um 13 Uhr Mittagessen ein')).out
  expect(card).toMatch(/Darf ich/)
  expect(card).toMatch(/Freitag, \d{1,2}\. \p{L}+, 13:00/u)
  const before = (await calendarEvents(bench.folder)).length
  const said = await bench.pfar('ask', 'ja, passt')
  expect(said.out).toContain('Mittagessen')
  expect(said.out).not.toMatch(/\b(?:the|you|is)\b/)
  await waitFor(async () => (await calendarEvents(bench.folder)).length === before + 1, SOON_MS)
})

test('a German no after something else is for the card that waits, without its number', async () => {
  await bench.pfar('ask', 'trag am Freitag um 13 Uhr Mittagessen ein')
  await reply('was steht morgen an?')
  expect((await bench.pfar('ask', 'nein')).out).toContain('Abgebrochen: Ich habe es nicht getan.')
  expect((await bench.pfar('approvals')).out).not.toContain('Mittagessen')
})

test('things of the list are ticked off by their name alone, and mails of somebody are listed', async () => {
  await reply('setz Eier und Blumen auf meine Liste')
  expect(await reply('streich die Blumen')).toContain('Blumen')
  expect(await reply('Eier hab ich')).toContain('Eier')
  expect(await reply('was steht auf meiner Liste?')).not.toMatch(/Eier|Blumen/)
  expect(await reply('gibt es was von Sarah?')).toMatch(/Sarah/)
})

test('a guest is added to the card that waits, and a yes books it with them', async () => {
  await bench.pfar('ask', 'trag am Freitag um 18 Uhr Kino ein')
  const card = (await bench.pfar('ask', 'hol Sarah noch dazu')).out
  expect(card).toMatch(/Kino/)
  expect(card).toMatch(/- sarah\S*@\S+/)
  expect((await bench.pfar('ask', 'ja')).out).toContain('Kino')
  const booked = (await calendarEvents(bench.folder)).filter(({ summary }) => summary === 'Kino')
  expect(booked).toHaveLength(1)
})

test('another value of what is remembered is told, and a German yes replaces it', async () => {
  await reply('merk dir, dass mein Spind 12 ist')
  await reply('merk dir, dass mein Spind 14 ist')
  const asked = async () => (await bench.pfar('approvals')).out
  await waitFor(async () => /Vorher hast du gesagt: „mein Spind 12 ist“/.test(await asked()), SOON_MS)
  const number = /^(\d+)\. Vorher hast du gesagt/m.exec(await asked())?.[1] ?? ''
  await reply(`ja ${number}`)
  const kept = await reply('was weißt du über mich?')
  expect(kept).toContain('mein Spind 14 ist')
  expect(kept).not.toContain('mein Spind 12 ist')
  expect(await reply('merk dir, dass mein Spind 14 ist')).toMatch(/^Das weiß ich schon/)
})

test('help, and a command line that words its own output', async () => {
  const help = await reply('/help')
  expect(help).toMatch(/\/today: was heute in meinem Kalender steht/)
  expect(help.split('\n').length).toBeLessThanOrEqual(25)
  expect(help).not.toMatch(/\b(?:the|what|your|Reminders)\b/)
  expect(await reply('was kannst du?')).toMatch(
    /Du kannst zum Beispiel sagen:\n- [\s\S]*- Mail: „gibt es neue Mails\?“/,
  )
  expect((await bench.pfar('language')).out).toContain('Ich antworte auf Deutsch')
  expect((await bench.pfar('quiethours')).out).toContain('Es ist keine Ruhezeit eingerichtet')
})

test('no id, digest, reason or audit row is in German', async () => {
  const audit = (await bench.pfar('audit', 'show', '--json')).out
  expect(audit).not.toMatch(/Darf ich|Erinnerung|gesendet|Kalender wird/)
})

test('it outlives a restart', async () => {
  expect(readFileSync(join(bench.folder, 'language'), 'utf8')).toBe('de\n')
  await bench.stop()
  await bench.start()
  expect(await reply('welche Sprache sprichst du?')).toBe(
    'Ich antworte auf Deutsch. Es gibt: English, Deutsch.',
  )
})

test('the edge follows home, and both speak English again when that is said', async () => {
  await waitFor(
    async () => /Hier antworte ich von der Edge aus/.test(await reply('/status', '--line', 'open')),
    SOON_MS,
  )
  expect(await reply('antworte auf Englisch')).toMatch(/^From now on I answer in English\./)
  expect(existsSync(join(bench.folder, 'language'))).toBe(false)
  expect(await reply('was steht morgen an?')).toContain('(tomorrow)')
  await waitFor(
    async () => /I answer from the edge|edge/.test(await reply('/status', '--line', 'open')),
    SOON_MS,
  )
})

test('a first message in German gets its card in German, and English words later change nothing', async () => {
  const other = createBench()
  try {
    await other.start()
    const card = (await other.pfar('ask', 'trag am Freitag um 13 Uhr Mittagessen ein')).out
    expect(card).toMatch(/Darf ich/)
    expect(card).not.toMatch(/May I/)
    expect((await other.pfar('ask', 'ja')).out).toContain('„/language English“ ändert das')
    expect((await other.ask('what is on my calendar tomorrow?')).report.reply).toContain('(morgen)')
    expect((await other.ask('was steht morgen an?')).report.reply).not.toContain('/language')
  } finally {
    await other.remove()
  }
})
