/**
 * Words for the owner before a permission ends, as Google's do after seven days while a client is in testing: when, and what to
 * do. Must not name an account. Called by secret-vault.ts and oauth-command.ts.
 */
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { namedMoment } from '../../kernel/wording/output.ts'
import { isSaying, tell } from '../language/wording.ts'

/** `name`: name of the secret, which is that of its service. `endsAt`, `now`: epoch milliseconds. */
export function endingWords(
  name: string,
  { endsAt, now, timezone }: { readonly endsAt: number; readonly now: number; readonly timezone: string },
): string {
  const title = OAUTH_SERVICES.find(({ service }) => service === name)?.title ?? name
  const at = namedMoment(endsAt, timezone, now)
  const lasting = `consent_setup.${name}_client_lasting`
  const ends = tell('consent_setup.ends', { title, service: name, at })
  return isSaying(lasting) ? `${ends}\n${tell(lasting)}` : ends
}
