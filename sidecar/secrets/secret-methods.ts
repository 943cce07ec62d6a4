/**
 * Methods of the private line for secrets (E-05), one row each, with parameters validated here. A value crosses the
 * 0600 socket once, inwards; no method returns one, and parameters are never logged. Called by doors.ts and, while home
 * is not running, by `pfar secret`.
 */
import { type Methods, method } from '../line/method.ts'
import { acceptSchema, type OfferDesk } from './offer-desk.ts'
import { deleteSchema, nameSchema, rotateSchema, type SecretDesk, setSchema } from './secret-desk.ts'

export function createSecretMethods(desk: SecretDesk, offers: OfferDesk): Methods {
  return {
    secret_set: method(setSchema, (params) => desk.set(params)),
    secret_rotate: method(rotateSchema, (params) => desk.rotate(params)),
    secret_delete: method(deleteSchema, (params) => desk.delete(params)),
    secret_accept: method(acceptSchema, (params) => offers.accept(params)),
    secret_decline: method(nameSchema, (params) => offers.decline(params)),
  }
}
