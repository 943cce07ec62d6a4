/** How the scripted Bot API refuses: with Telegram's own codes and words (Bot API, TelegramBotAPI/errors). Called by its methods. */
export class Refusal extends Error {
  readonly code: number
  readonly parameters: { readonly retry_after: number } | undefined

  constructor(code: number, description: string, retryAfter?: number) {
    super(description)
    this.code = code
    this.parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter }
  }
}

export const badRequest = (why: string): Refusal => new Refusal(400, `Bad Request: ${why}`)
