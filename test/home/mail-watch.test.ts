/** Listening at the inbox: at a real Dovecot, and at servers that flood, break off and refuse; only while something waits for mail. */
import { beforeAll, describe, expect, it } from 'vitest'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { type MailWatch, type MailWatchInput, startMailWatch } from '../../sidecar/mail/imap-watch.ts'
import {
  type Certificate,
  HAS_DOVECOT,
  newCertificate,
  PASSWORD,
  putMail,
  settingsAt,
  startDovecot,
  startLines,
} from '../kit/mail-servers.ts'
import { atEnd } from '../kit/stop.ts'

let certificate: Certificate
beforeAll(() => {
  certificate = newCertificate()
})

interface Watched {
  readonly watch: MailWatch
  readonly state: { wanted: boolean; version: number | null; issued: number; noticed: number }
}

function watching(port: number, more: Partial<MailWatchInput> = {}): Watched {
  const state = { wanted: true, version: 1 as number | null, issued: 0, noticed: 0 }
  const watch = startMailWatch({
    settings: settingsAt(certificate, port, 1),
    custodian: {
      issue: async () => {
        state.issued += 1
        return ok({ value: PASSWORD, version: 1 })
      },
    },
    ...{
      version: () => state.version,
      isWanted: () => state.wanted,
      noticed() {
        state.noticed += 1
      },
    },
    ...{ now: Date.now, fault: () => expect.unreachable(), lookEvery: 50, firstWait: 100 },
    ...more,
  })
  atEnd(() => watch.stop())
  return { watch, state }
}

const soon = { timeout: 10_000 }

describe.runIf(HAS_DOVECOT)('at a Dovecot', () => {
  it('a mail that comes is noticed, and nobody is connected once nothing waits for it', async () => {
    const dovecot = await startDovecot(certificate)
    const { watch, state } = watching(dovecot.port)
    await expect.poll(() => watch.state(), soon).toBe('listening')
    putMail(dovecot, '1', ['From: a@x.example', 'Subject: one'], 'text')
    await expect.poll(() => state.noticed, soon).toBe(1)
    putMail(dovecot, '2', ['From: a@x.example', 'Subject: two'], 'text')
    await expect.poll(() => state.noticed, soon).toBe(2)
    state.wanted = false
    await expect.poll(() => watch.state(), soon).toBe('off')
    putMail(dovecot, '3', ['From: a@x.example', 'Subject: three'], 'text')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(state).toMatchObject({ noticed: 2, issued: 1 })
    await watch.stop()
  }, 40_000)
})

/** A server that is idle as the script says; counts who is connected. */
async function server(idle: (socket: { write: (text: string) => void; destroy: () => void }) => void) {
  const seen = { idles: 0 }
  const port = await startLines(certificate, '* OK [CAPABILITY IMAP4rev1 IDLE] hi', (line, socket) => {
    const [tag = '', verb = ''] = line.split(' ')
    if (line === 'DONE') return undefined
    if (verb === 'IDLE') {
      seen.idles += 1
      idle(socket)
      return '+ idling\n'
    }
    if (verb === 'CAPABILITY') return `* CAPABILITY IMAP4rev1 IDLE\n${tag} OK\n`
    if (verb === 'SELECT' || verb === 'EXAMINE') return `* 1 EXISTS\n* OK [UIDVALIDITY 7] v\n${tag} OK\n`
    if (verb === 'LIST') return `* LIST () "/" INBOX\n${tag} OK\n`
    return `${tag} OK\n`
  })
  return { port, seen }
}

describe('at a server of bad manners', () => {
  it('a hundred notices a second are one a second, whatever they hold', async () => {
    let count = 1
    const timers: NodeJS.Timeout[] = []
    const { port } = await server((socket) => {
      timers.push(
        setInterval(() => {
          count += 1
          socket.write(`* ${count} EXISTS\r\n* OK do as I say\r\n`)
        }, 10),
      )
    })
    const { watch, state } = watching(port)
    await expect.poll(() => state.noticed, soon).toBeGreaterThan(0)
    const before = state.noticed
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(count).toBeGreaterThan(100)
    expect(state.noticed - before).toBeLessThanOrEqual(3)
    for (const timer of timers) clearInterval(timer)
    await watch.stop()
  }, 20_000)

  it('a connection that is lost is made again, later each time, and says so', async () => {
    const { port, seen } = await server((socket) => setTimeout(() => socket.destroy(), 20))
    const { watch, state } = watching(port)
    await expect.poll(() => seen.idles, soon).toBe(3)
    expect(state.noticed).toBeGreaterThan(0)
    await expect.poll(() => watch.state(), soon).toBe('lost')
    const idles = seen.idles
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(seen.idles).toBeLessThanOrEqual(idles + 1)
    await watch.stop()
  }, 20_000)

  it('without a password nothing is connected, and with another one it begins anew', async () => {
    const { port, seen } = await server(() => undefined)
    const { watch, state } = watching(port)
    await expect.poll(() => watch.state(), soon).toBe('listening')
    state.version = null
    await expect.poll(() => watch.state(), soon).toBe('off')
    state.version = 2
    await expect.poll(() => seen.idles, soon).toBe(2)
    expect(state.issued).toBe(2)
    await watch.stop()
  }, 20_000)

  it('a custodian that throws once ends nothing: it is asked again, and the inbox is listened at', async () => {
    const { port } = await server(() => undefined)
    let asked = 0
    const issue: MailWatchInput['custodian']['issue'] = async () => {
      asked += 1
      if (asked === 1) throw new Error('database is locked')
      return ok({ value: PASSWORD, version: 1 })
    }
    const { watch } = watching(port, { custodian: { issue } })
    await expect.poll(() => watch.state(), soon).toBe('listening')
    expect(asked).toBe(2)
    await watch.stop()
  }, 20_000)

  it('a password that the custodian does not give reaches nobody', async () => {
    const { port, seen } = await server(() => undefined)
    const { watch } = watching(port, { custodian: { issue: async () => err('credential_mismatch') } })
    await expect.poll(() => watch.state(), soon).toBe('lost')
    expect(seen.idles).toBe(0)
    await watch.stop()
  }, 20_000)
})
