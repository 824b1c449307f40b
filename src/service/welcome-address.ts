/** Where a one-time link leads. Its token stands after `#`, which browsers keep to themselves: it is in no log. */
export function welcomeAddress(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/app/welcome#${token}`
}
