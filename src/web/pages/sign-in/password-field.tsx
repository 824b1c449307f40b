import { TextField, type TextFieldProps } from '../../ui/field.tsx'

/** As the service has it. */
const LEAST_CHARACTERS = 10

/** A password that is chosen now. */
export function PasswordField(props: Pick<TextFieldProps, 'label' | 'value' | 'onValue' | 'autoFocus'>) {
  return (
    <TextField
      {...props}
      about={`At least ${LEAST_CHARACTERS} characters. A few words that you remember make a good one.`}
      type="password"
      autoComplete="new-password"
      minLength={LEAST_CHARACTERS}
      maxLength={256}
      required
    />
  )
}
