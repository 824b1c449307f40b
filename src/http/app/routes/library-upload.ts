import type { Service } from '../../../service/service.ts'
import { checkInput } from '../../rest/check-input.ts'
import { InputError } from '../../rest/problem.ts'
import { readForm } from '../../rest/read-form.ts'
import { memorizeFields } from '../../rest/schemas.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { createUploadSlots, withUploadSlot } from '../../rest/upload-slots.ts'
import { routeFor } from '../route-for.ts'
import type { UploadedItem } from '../schemas/library.ts'
import { viewerOf } from '../viewer.ts'

/** Large files of browsers held in memory at a time, beside those of `/v1`: pages send three at once. */
const SLOTS = 6
const SLOT_WAIT_MS = 20_000

const uploadFields = memorizeFields.omit({ user_name: true })

/** `POST /app/api/library/upload`: one file, by the checks and limits of `/v1/memorize`, told as the viewer. */
export function libraryUploadRoute(scope: ApiServer, service: Service): void {
  const slots = createUploadSlots(SLOTS, SLOT_WAIT_MS)
  scope.post('/app/api/library/upload', routeFor('member'), async (request, reply): Promise<UploadedItem> => {
    const { principal, name } = viewerOf(request)
    await service.admitUpload(principal)
    await service.checkBilling(principal, 'upload')
    return withUploadSlot(slots, { raw: request.raw, accountId: principal.accountId }, async () => {
      const form = await readForm(request, 'file', { field: 'file', limit: (start) => service.uploadLimit(start) })
      const { file } = form
      if (file === undefined) throw new InputError('missing_field', [{ field: 'file', message: 'is required' }])
      const fields = checkInput(uploadFields, form.fields)
      if (file.refusal !== undefined) throw file.refusal
      const { item_id } = await service.memorize(principal, {
        body: file.body,
        fileName: file.fileName,
        contentType: file.contentType,
        userName: name,
        sourceType: fields.source_type,
        onConflict: fields.on_conflict,
        ...(fields.item_id !== undefined && { itemId: fields.item_id }),
      })
      reply.code(201)
      return { item_id, source: fields.source_type }
    })
  })
}
