-- Fences as runnable cells, for Quarto and for pandoc alone:
--
--   ```{.python .vitrine session="tour" expected=true}
--   print(6 * 7)
--   ```
--
--   ```{.text .vitrine-output}
--   42
--   ```
--
-- Around the code block, which Quarto's own highlighter draws, come the elements of HTML that make it a cell. Other formats
-- than HTML have the code and the result.

-- src/fences/cell-attributes.ts of Vitrine is the source of these lists.
local VALUES = "session setup deps packages files tools timeout trust label demo data-check"
local FLAGS = "readonly autorun hidden expected"
local PARTS = {
  ["vitrine-output"] = "",
  ["vitrine-setup"] = "",
  ["vitrine-check"] = "wants label",
  ["vitrine-solution"] = "label",
}
-- What Quarto and pandoc read of a code block themselves stays with it.
local OF_THE_BLOCK = "filename startFrom code-line-numbers code-overflow code-fold code-summary lst-cap lst-label"

local is_html = FORMAT:match("html") ~= nil or FORMAT:match("revealjs") ~= nil

local function contains(list, word)
  return (" " .. list .. " "):find(" " .. word .. " ", 1, true) ~= nil
end

local function escape(text)
  return (text:gsub('[&<>"]', { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- pandoc keeps no lines of blocks: the file, and how the code begins, say which one it is.
local function fail(block, reason)
  local file = (PANDOC_STATE.input_files or {})[1] or "Markdown"
  local first = block.text:match("^[^\n]*")
  error(file .. ", the fence that begins “" .. first .. "”: " .. reason, 0)
end

local function html(text)
  return pandoc.RawBlock("html", text)
end

-- What a code block is for a cell: "vitrine", "vitrine-output" and so on, or nil.
local function role_of(block)
  if block.t ~= "CodeBlock" then
    return nil
  end
  for _, class in ipairs(block.classes) do
    if class == "vitrine" or PARTS[class] ~= nil then
      return class
    end
    if class:sub(1, 8) == "vitrine-" then
      local kinds = "vitrine, vitrine-output, vitrine-setup, vitrine-check, vitrine-solution"
      fail(block, "“" .. class .. "” is no kind of fence. There are " .. kinds .. ".")
    end
  end
  return nil
end

local function is_python(block)
  return block.classes:includes("python") or block.classes:includes("py")
end

-- The attributes of the element, in their order, and the code block without them.
local function split(block, role)
  local known = role == "vitrine" and VALUES .. " " .. FLAGS or PARTS[role]
  local own, kept = {}, {}
  if role == "vitrine" and block.identifier ~= "" then
    table.insert(own, { "id", block.identifier })
  end
  for name, value in pairs(block.attributes) do
    if contains(OF_THE_BLOCK, name) then
      kept[name] = value
    elseif not contains(known, name) then
      local words = known == "" and "It takes none." or "It takes " .. known:gsub(" ", ", ") .. "."
      fail(block, "It does not know the attribute “" .. name .. "”. " .. words)
    elseif not contains(FLAGS, name) then
      table.insert(own, { name, value })
    elseif value == "" or value == "true" then
      table.insert(own, { name })
    elseif value ~= "false" then
      fail(block, "“" .. name .. "” is true or false.")
    end
  end
  local classes = block.classes:filter(function(class)
    return class ~= role
  end)
  return own, pandoc.CodeBlock(block.text, pandoc.Attr("", classes, kept))
end

local function tag(name, attributes)
  local written = ""
  for _, each in ipairs(attributes) do
    written = written .. " " .. each[1]
    if each[2] ~= nil then
      written = written .. '="' .. escape(each[2]) .. '"'
    end
  end
  return "<" .. name .. written .. ">"
end

-- The blocks of one part of a cell.
local function part(role, own, code)
  if role == "vitrine-output" then
    return { html("<output>"), code, html("</output>") }
  elseif role == "vitrine-setup" then
    return { html('<div hidden slot="setup">'), code, html("</div>") }
  elseif role == "vitrine-check" then
    local data = { { "hidden" }, { "slot", "check" } }
    for _, each in ipairs(own) do
      table.insert(data, { "data-" .. each[1], each[2] })
    end
    return { html(tag("div", data)), code, html("</div>") }
  end
  local label = own[1] and own[1][2] or "Solution"
  local opening = '<details slot="solution"><summary>' .. escape(label) .. "</summary>"
  return { html(opening), code, html("</details>") }
end

-- Of what has no elements: the code that a reader is to see.
local function is_readable(role, own)
  if role == "vitrine-setup" or role == "vitrine-check" then
    return false
  end
  for _, each in ipairs(own) do
    if each[1] == "hidden" then
      return false
    end
  end
  return true
end

function Blocks(blocks)
  local written = pandoc.List()
  local is_open = false
  local function close()
    if is_open and is_html then
      written:insert(html("</vitrine-cell>"))
    end
    is_open = false
  end
  for _, block in ipairs(blocks) do
    local role = role_of(block)
    if role == nil then
      close()
      written:insert(block)
    else
      if role ~= "vitrine-output" and not is_python(block) then
        fail(block, "A cell is written in Python.")
      end
      if role ~= "vitrine" and not is_open then
        fail(block, "It has no cell before it. It follows the fence of its cell, with nothing between.")
      end
      local own, code = split(block, role)
      if role == "vitrine" then
        close()
        is_open = true
        if is_html then
          written:insert(html(tag("vitrine-cell", own)))
        end
      end
      if not is_html then
        if is_readable(role, own) then
          written:insert(code)
        end
      elseif role == "vitrine" then
        written:insert(code)
      else
        written:extend(part(role, own, code))
      end
    end
  end
  close()
  return written
end
