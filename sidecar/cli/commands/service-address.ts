/**
 * Where a service is that the owner runs: `pfar connect SERVICE ADDRESS` writes it into config.toml. Must not take it from anywhere but the command that was typed,
 * or ask for a credential. Called by secret-command.ts.
 */
import { writeServiceAddress } from '../../config/config-edit.ts'
import { isServiceAddress } from '../../config/own-services.ts'
import { type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { openConfig } from './opened-config.ts'

const EXAMPLE = 'http://192.168.1.20:8123'

export interface Named {
  /** Its credential, as `pfar connect` calls it. */
  readonly service: string
  readonly title: string
  /** As it was typed. */
  readonly address?: string
}

/** Null where the address is known, so that the credential can be asked for; else the command ends with this. */
export function nameAddress(context: CommandContext, { service, title, address }: Named): ExitCode | null {
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
  if (origin === known) return null
  if (!writeServiceAddress(paths.config, service, origin))
    return said(
      context,
      `config.toml could not be changed. Put this into it:\n[services.${service}]\nbase_url = "${origin}"`,
    )
  screen.out(`${title} is at ${origin}, once home is started again. Then: pfar connect ${service}`)
  return 0
}

/** With a page of it behind, as it is copied from a browser. */
function originIn(address: string): string | null {
  const text = /^https?:\/\//i.test(address) ? address : `http://${address}`
  const url = URL.parse(text)
  return url === null || url.username !== '' || url.password !== '' ? null : url.origin
}
