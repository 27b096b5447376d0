// Style sheets are imported as text: see script in tools/web.
declare module "*.css" {
  const text: string
  export default text
}
