/** The tenant that all personal accounts are in. */
export const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * `tenant.user`, the same from the claims of a sign-in and from `/me`: personal accounts are 16 hexadecimal digits there,
 * and a UUID that ends in them here.
 *
 * @param tenant absent when Graph does not tell
 */
export function microsoftAccountId(tenant: string | undefined, user: string): string {
  if (/^[0-9a-f]{16}$/i.test(user)) {
    const digits = user.toLowerCase()
    return `${PERSONAL_TENANT}.00000000-0000-0000-${digits.slice(0, 4)}-${digits.slice(4)}`
  }
  return tenant === undefined ? user : `${tenant}.${user}`
}
