/**
 * Which principal this object belongs to. An object serves one principal for its whole life: the one its name is derived from
 * (B-02, B-10, R-01). A caller that names another is refused and learns nothing. Called by PrincipalObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { objectName } from '../names.ts'

const PRINCIPAL = 'principal'

export interface Claim {
  /** Checks that `principal` is the object's own; the first successful call records it. Refusal: principal_not_allowed. */
  own(principal: string): Result<true>
  /** The recorded principal; undefined before the first call. */
  known(): string | undefined
  /** The name of this object. */
  name(): string
}

export interface ClaimInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put'>
  readonly nameKey: Uint8Array
  /** The object name that the platform reports. */
  readonly calledBy: string | undefined
}

export function createClaim({ kv, nameKey, calledBy }: ClaimInput): Claim {
  let held: string | undefined
  const known = (): string | undefined => {
    held ??= kv.get<string>(PRINCIPAL)
    return held
  }
  return {
    known,
    name: () => objectName(nameKey, known() ?? ''),
    own(principal) {
      const owner = known()
      if (owner !== undefined) return owner === principal ? ok(true) : err('principal_not_allowed')
      if (calledBy !== objectName(nameKey, principal)) return err('principal_not_allowed')
      kv.put(PRINCIPAL, principal)
      return ok(true)
    },
  }
}
