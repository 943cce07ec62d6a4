/**
 * `pfar init` in German, on a terminal of its own, with what a person sets up: names, a place, a master key, mail at a real Dovecot, a calendar and an address book
 * at a real Radicale, backups. No line of it is English, and what was said is there afterwards.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PASSWORD as DAV_PASSWORD, HAS_RADICALE, startRadicale, USER } from '../kit/caldav-server.ts'
import { newFolder } from '../kit/folder.ts'
import {
  HAS_DOVECOT,
  PASSWORD as MAIL_PASSWORD,
  newCertificate,
  OWNER,
  startDovecot,
  startSmtp,
} from '../kit/mail-servers.ts'
import { sendJson, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { onTerminal } from './keys-bench.ts'
import { run } from './terminal-bench.ts'

const PASSPHRASE = 'four words nobody says'

/** Words that a German line has only where it was forgotten; what stands in quotes, in backticks or in an address is a name. */
const ENGLISH =
  /\b(?:the|your|you|and|with|which|nothing|this|that|what|not|cannot|from|please|is|are|such|for|of)\b/i

function englishIn(shown: string): readonly string[] {
  return shown
    .split(/\r?\n/)
    .map((line) => line.replace(/`[^`]*`|„[^“]*“|https?:\S+|\S*@\S*|\S*\/\S*/g, ''))
    .filter((line) => !/^(?: *\d{1,2} [a-z]{3,8}){4}\s*$/.test(line))
    .filter((line) => ENGLISH.test(line))
}

test('the measure finds an English line, and takes names in a German one', () => {
  expect(englishIn('Your calendars there:\n')).toHaveLength(1)
  expect(
    englishIn(
      'später: `pfar connect mail you@example.com`\nMach „the app“ auf\n 1 that  2 this  3 what  4 with',
    ),
  ).toEqual([])
})

// Without Debian's radicale and dovecot there are no servers to be at.
describe.runIf(HAS_RADICALE && HAS_DOVECOT)('in German', () => {
  const home = join(newFolder('e2e-german'), 'state')
  const environment = {
    ...{ PFAR_HOME: home, PFAR_UNITS: join(home, '../units'), NO_COLOR: '1', TZ: 'UTC' },
    ...{ LC_ALL: '', LC_MESSAGES: '', LANG: 'de_DE.UTF-8' },
  }
  const read = (): string => readFileSync(join(home, 'config.toml'), 'utf8')
  let shown = ''

  test('everything is set up by answers alone', async () => {
    const certificate = newCertificate()
    const [dovecot, smtp] = [await startDovecot(certificate), await startSmtp(certificate)]
    const radicale = await startRadicale()
    await radicale.calendar('home', 'Zuhause')
    await radicale.calendar('club', 'Verein')
    await radicale.addressbook('friends', 'Freunde')
    const engine = closing(await serve((_, response) => sendJson(response, { results: [] })))
    const ran = onTerminal('scripts/pfar.mjs init --ollama http://127.0.0.1:1', environment, [
      [/Wie soll ich dich nennen\?[\s\S]*\] > $/, 'Jürgen, Ada: knapp'],
      [/Wo bist du\?[\s\S]*\] > $/, 'Deutschland'],
      [/Daten verschlossen werden\?[\s\S]*\] > $/, 'passphrase'],
      [/(?:Zeichen|Passphrase des Hauptschlüssels|Passphrase|Noch einmal dieselbe): $/, PASSPHRASE],
      [/Mailadresse ist deine[\s\S]*\] > $/, OWNER],
      [/\(IMAP\), etwa \S+\? $/, `localhost:${dovecot.port}`],
      [/\(SMTP\), etwa \S+\? $/, `localhost:${smtp.port}`],
      [/eigenen Netz[\s\S]*sonst Enter: $/, '127.0.0.1'],
      [/Ist es dasselbe\? \(ja, nein\) $/, 'ja'],
      [/Passwort für \S+: $/, MAIL_PASSWORD],
      [/Wo ist dein Kalender\?[\s\S]*\] > $/, radicale.origin],
      [/Dein Benutzername dort: $/, USER],
      [/Passwort von ada bei \S+: $/, DAV_PASSWORD],
      [/Welche soll ich lesen\?[\s\S]*> $/, ''],
      [/Wohin sollen neue Termine\?[\s\S]*> $/, ''],
      [/Noch ein (?:Kalender|Adressbuch)\?[\s\S]*\] > $/, ''],
      [/Wo ist dein Adressbuch\?[\s\S]*\] > $/, radicale.origin],
      [/Welche Suchmaschine soll ich fragen\?[\s\S]*\] > $/, 'searxng'],
      [/Wo ist dein SearXNG\?[\s\S]*: $/, engine.origin],
      [/verschlüsselte Sicherung[\s\S]*\] > $/, 'ja'],
      [/\] > $/, ''],
    ])
    // A question that is not as it is here is waited for by both: then what was shown says which.
    const late = setTimeout(() => ran.child.kill('SIGKILL'), 90_000)
    const code = await ran.ended
    clearTimeout(late)
    shown = ran.shown()
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/Namen +du bist Jürgen, ich bin Ada: knapp/)
    expect(shown).toMatch(/Mail +owner@example\.test/)
    expect(shown).toMatch(/Sicherungen +jeden Tag um 03:00/)
    expect(read()).toMatch(/timezone = "Europe\/Berlin"/)
    expect(read()).toMatch(/\[\[tools\.calendar\.accounts\]\]/)
    expect(read()).toMatch(/\[\[tools\.addressbook\.accounts\]\]/)
    expect(shown).toMatch(/Suche +searxng/)
    expect(read()).toContain(`searxng = "${engine.origin}"`)
    expect(JSON.parse(readFileSync(join(home, 'init.json'), 'utf8'))).toMatchObject({ finished: true })
  }, 180_000)

  test('and no line of it is English', () => expect(englishIn(shown)).toEqual([]))

  test('once more: what is there is not asked for', async () => {
    const { out } = await run(['scripts/pfar.mjs', 'init', '--yes', '--ollama', 'http://127.0.0.1:1'], {
      ...process.env,
      ...environment,
    })
    expect(out).toMatch(/Mail +owner@example\.test, wie in config\.toml/)
    expect(out).toMatch(/Kalender +\S+; ein weiterer: `pfar connect calendar`/)
    expect(englishIn(out)).toEqual([])
  })
})
