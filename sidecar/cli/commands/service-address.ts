/**
 * Address of a service that the owner runs: `pfar connect SERVICE ADDRESS` writes it into config.toml, with the fingerprint of a
 * self-signed certificate that the owner confirms. Must not take either from anywhere but the typed command, or ask for a
 * credential. Called by secret-command.ts.
 */
import { writeServiceAddress } from '../../config/config-edit.ts'
import { isServiceAddress, mayConfirm } from '../../config/own-services.ts'
import { FINGERPRINT } from '../../mail/mail-settings.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { openConfig } from './opened-config.ts'

const EXAMPLE = 'http://192.168.1.20:8123'

export interface Named {
  /** Name of its credential, as `pfar connect` takes it. */
  readonly service: string
  readonly title: string
  /** The address as typed. */
  readonly address?: string
  /** Expected fingerprint of the certificate, for use without questions. */
  readonly fingerprint?: string
  /** Null if nobody can be asked. */
  readonly asker?: TerminalAsker | null
}

/** Null if the address is known, so that the credential can be asked for; otherwise the exit code of the command. */
export async function nameAddress(context: CommandContext, named: Named): Promise<ExitCode | null> {
  const { service, title, address } = named
  const { screen } = context
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  const known = config.services[service]
  if (address === undefined) {
    if (known !== undefined) return null
    return said(context, `Say where your ${title} is, first: pfar connect ${service} ${EXAMPLE}`)
  }
  const origin = originIn(address)
  if (origin === null || !isServiceAddress(service, origin))
    return said(
      context,
      `That is no address that I can ask. Say one of your own network, in numbers and with its port, such as ${EXAMPLE}; or one with https.`,
    )
  const before = config.certificates[origin] ?? null
  const confirmed = mayConfirm(service, origin)
    ? await confirmedAt(context, { ...named, origin, before })
    : ({ fingerprint: null } as const)
  if (confirmed === null) return 1
  const { fingerprint } = confirmed
  if (origin === known && fingerprint === before) return null
  if (!writeServiceAddress(paths.config, service, { origin, fingerprint })) {
    const lines = [
      `[services.${service}]`,
      `base_url = "${origin}"`,
      ...(fingerprint === null ? [] : [`fingerprint = "${fingerprint}"`]),
    ]
    return said(context, `config.toml could not be changed. Put this into it:\n${lines.join('\n')}`)
  }
  // A home that runs asks there from now on; any other when it starts.
  const renewed = await askSocket(context, { method: 'services_reload', params: {} })
  const next = `pfar connect ${service}`
  screen.out(
    renewed.ok
      ? `${title} is at ${origin} from now on. Next: ${next}`
      : `${title} is at ${origin}. Start home, then: ${next}`,
  )
  return 0
}

interface Asked extends Named {
  readonly origin: string
  /** Fingerprint confirmed earlier for this address. */
  readonly before: string | null
}

/**
 * The fingerprint to write; none if the certificate is trusted by the system. Null if the owner does not confirm it: nothing is
 * written then.
 */
async function confirmedAt(
  context: CommandContext,
  { service, title, origin, before, fingerprint: typed, asker }: Asked,
): Promise<{ readonly fingerprint: string | null } | null> {
  const { lookAt } = await import('../../pages/certificate.ts')
  const shown = await lookAt(origin)
  const refuse = (words: string): null => {
    said(context, words)
    return null
  }
  if (shown === null || !FINGERPRINT.test(shown.fingerprint))
    return refuse(`Nothing answers there with TLS. Nothing was written. Is ${title} on, and the port right?`)
  const { fingerprint, trusted } = shown
  if (trusted) return { fingerprint: null }
  if (fingerprint === before) return { fingerprint }
  const changed =
    before === null ? '' : ` That is not the one that you confirmed before, which was\n  ${before}`
  const seen = `${title} shows a certificate there that nobody vouches for. Its SHA-256 fingerprint is\n  ${fingerprint}${changed}`
  if (typed !== undefined)
    return typed === fingerprint
      ? { fingerprint }
      : refuse(`${seen}\nThat is not the one that you typed. Nothing was written.`)
  const answer = await asker?.ask(
    `${seen}\nCompare it there: whoever stands between shows another. It is taken for ${origin} alone, and no other is taken there.\nTake it? Type yes: `,
  )
  asker?.letGo()
  if (/^(?:yes|ja)$/i.test(answer ?? '')) return { fingerprint }
  const hint = `If it is the same: pfar connect ${service} ${origin} --fingerprint ${fingerprint}`
  return refuse(`Nothing was written.${answer === '' || answer == null ? ` ${hint}` : ''}`)
}

/** Drops the path of an address that was copied from a browser. */
function originIn(address: string): string | null {
  const text = /^https?:\/\//i.test(address) ? address : `http://${address}`
  const url = URL.parse(text)
  return url === null || url.username !== '' || url.password !== '' ? null : url.origin
}
